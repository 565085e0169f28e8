"""A data folder that is closed to whoever runs the program."""

import pwd
import subprocess
import sys
from pathlib import Path

import pytest

from bot.text import texts
from tests.e2e.program import Program

_AS_SOMEBODY_ELSE = """
import os, sys
from bot.cli.main import main
from bot.text import texts
texts("de"), texts("en")  # what is read later than this, the other user may not reach
user = int(sys.argv.pop(1))
os.setgroups([])
os.setresgid(user, user, user)
os.setresuid(user, user, user)
sys.exit(main())
"""


@pytest.mark.root
@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("command", [("init",), ("mandate", "list"), ("doctor",)])
@pytest.mark.parametrize("below", [False, True])
def test_a_closed_folder_is_named_in_one_sentence(
    tmp_path: Path, language: str, command: tuple[str, ...], *, below: bool
) -> None:
    """Somebody else's folder, or one below it: exit 2 and one sentence, never a traceback."""
    for folder in (tmp_path, *tmp_path.parents[:-2]):
        folder.chmod(0o711)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    data = closed / "data" if below else closed
    nobody = str(pwd.getpwnam("nobody").pw_uid)
    done = subprocess.run(
        [sys.executable, "-P", "-c", _AS_SOMEBODY_ELSE, nobody, "--data", data, "--lang", language, *command],
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=Program.environment(),
    )
    key = "data_folder" if below else "data_folder_owner"
    assert done.returncode == 2
    assert done.stderr == f"✖ {texts(language)(f'errors.{key}', folder=data, reason='Permission denied')}\n"
