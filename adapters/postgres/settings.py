"""The settings of the embedded server: a small machine, no network, no private text in its log."""

from typing import Final

from adapters.postgres.layout import Home

PORT: Final = 5432
"""Only part of the socket's name: the embedded server listens on no network address."""

_SETTINGS: Final[dict[str, str]] = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "port": str(PORT),
    "max_connections": "60",
    "shared_buffers": "96MB",
    "work_mem": "8MB",
    "maintenance_work_mem": "64MB",
    "max_wal_size": "512MB",
    "io_method": "sync",
    "jit": "off",
    "fsync": "on",
    # One call for the whole file system instead of one for each of a thousand files: seconds less after a crash.
    "recovery_init_sync_method": "syncfs",
    "full_page_writes": "on",
    # Used segments of the log are removed: set aside for later use they would keep what has been erased.
    "wal_recycle": "off",
    "synchronous_commit": "on",
    "password_encryption": "scram-sha-256",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "datestyle": "ISO, YMD",
    "lc_messages": "C",
    "default_text_search_config": "pg_catalog.simple",
    # The log says that something happened, never with which words: statements carry what people asked.
    "logging_collector": "on",
    "log_filename": "postgresql-%a.log",
    "log_rotation_age": "1d",
    "log_rotation_size": "0",
    "log_truncate_on_rotation": "on",
    "log_file_mode": "0600",
    # An error's own message may quote a value ("invalid input syntax for ..."): only LOG, FATAL and PANIC are kept.
    "log_min_messages": "log",
    "log_statement": "none",
    "log_duration": "off",
    "log_min_duration_statement": "-1",
    "log_min_error_statement": "panic",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
    "log_connections": "",
    "log_lock_waits": "off",
    "log_temp_files": "-1",
    "log_autovacuum_min_duration": "-1",
    "log_line_prefix": "%m [%p] ",
}


def settings_file(home: Home) -> str:
    """Return the text of ``postgresql.conf`` for ``home``."""
    settings = {
        **_SETTINGS,
        "unix_socket_directories": _listed(str(home.socket)),
        "log_directory": str(home.log),
        "hba_file": str(home.pgdata / "pg_hba.conf"),
        "ident_file": str(home.pgdata / "pg_ident.conf"),
    }
    return "".join(f"{name} = '{_quoted(value)}'\n" for name, value in settings.items())


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace("'", "''")


def _listed(folder: str) -> str:
    """Quote a folder for a setting that is a list: a comma in its name must not split it."""
    return '"' + folder.replace('"', '""') + '"'
