"""The script that makes the secrets of the stack in containers."""

import re
import ssl
import subprocess
from pathlib import Path

import pytest

from tests.stack import FOLDER, Stack

USER = 1000

pytestmark = pytest.mark.root


def make(folder: Path) -> dict[str, bytes]:
    """What lies in the folder once the script has run."""
    subprocess.run([FOLDER / "secrets.sh", folder], check=True, capture_output=True, timeout=120)
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("stack") / "secrets"
    make(made)
    return made


def handshake(folder: Path, host: str, name: str, trusted: str = "authority.pem") -> str:
    """The protocol that a client, which wants to talk to ``name``, agrees on with the server of ``host``."""
    server_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_context.load_cert_chain(folder / f"{host}.pem", folder / f"{host}.key.pem")
    client_context = ssl.create_default_context(cafile=folder / trusted)
    client_context.verify_flags |= ssl.VERIFY_X509_STRICT
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = server_context.wrap_bio(there, back, server_side=True)
    client = client_context.wrap_bio(back, there, server_hostname=name)
    for _ in range(4):
        for side in (client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    return str(client.version())


def test_every_secret_is_made_for_the_user_of_the_containers(folder: Path) -> None:
    """Each file that docker-compose.yml mounts is there, belongs to user 1000 and is closed to everybody else."""
    for secret in Stack.of_the_repository().compose["secrets"].values():
        status = (folder / Path(secret["file"]).name).stat()
        assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (USER, USER, 0o600)
    assert (folder.stat().st_uid, folder.stat().st_mode & 0o777) == (USER, 0o700)


def test_nothing_is_made_twice(folder: Path) -> None:
    """A second run changes no byte; what was lost alone is made anew."""
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert make(folder) == before
    (folder / "vllm.key").unlink()
    after = make(folder)
    assert after.pop("vllm.key") != before.pop("vllm.key")
    assert after == before


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", None])
@pytest.mark.parametrize("host", ["opensearch", "synapse", "vllm"])
def test_the_certificates_are_believed(folder: Path, host: str, name: str | None) -> None:
    """A client that trusts the authority of the stack reaches each server by its name, and by that of the machine."""
    assert handshake(folder, host, name or host) == "TLSv1.3"


def test_another_name_is_not_believed(folder: Path) -> None:
    """The certificate of one server does not serve another one, nor a certificate without the authority."""
    with pytest.raises(ssl.SSLCertVerificationError, match="vllm"):
        handshake(folder, "opensearch", "vllm")
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(folder, "opensearch", "opensearch", trusted="vllm.pem")


def test_the_passwords_are_long_and_all_different(folder: Path) -> None:
    """OpenSearch wants four kinds of characters, and no password goes into a quotation wrongly."""
    names = ["opensearch.password", "matrix.password", "postgres.password", "synapse.registration", "vllm.key"]
    found = [(folder / name).read_text("ascii").strip() for name in names]
    assert len(set(found)) == len(found)
    assert all(re.fullmatch(r"[A-Za-z0-9-]{48,}", one) for one in found)
    assert all(re.search(kind, found[0]) for kind in ("[a-z]", "[A-Z]", r"\d", "[^A-Za-z0-9]"))


def test_somebody_else_is_told_who_has_to_run_it(tmp_path: Path) -> None:
    """Secrets that the containers could not read are not made."""
    told = subprocess.run(
        ["/bin/bash", "-s", "--", tmp_path / "secrets"],
        input=(FOLDER / "secrets.sh").read_text("utf-8"),
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        user=USER + 1,
        cwd="/",
    )
    assert (told.returncode, list(tmp_path.iterdir())) == (1, [])
    assert "1000" in told.stderr
