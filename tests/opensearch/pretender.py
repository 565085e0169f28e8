"""Servers on loopback that pretend to be a cluster, and say what a test wants."""

import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@contextmanager
def pretender(
    status: int,
    reply: object,
    trust: ssl.SSLContext | None = None,
    silent: str | None = None,
    *,
    location: str | None = None,
    asked: list[str] | None = None,
) -> Iterator[str]:
    """A server that answers everything in one way, and nothing at all where the address holds ``silent``.

    ``location`` is where it sends everybody; what it was asked for is put into ``asked``.
    """
    closing = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            content = reply.encode() if isinstance(reply, str) else json.dumps(reply).encode()
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if asked is not None:
                asked.append(self.path)
            if silent is not None and silent in self.path:
                closing.wait()
                return
            self.send_response(status)
            self.send_header("Content-Type", "text/html" if isinstance(reply, str) else "application/json")
            self.send_header("Content-Length", str(len(content)))
            if location is not None:
                self.send_header("Location", location)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_HEAD = answer  # noqa: N815 - the names are those of the library

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if trust is not None:
        server.socket = trust.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http{'s' if trust else ''}://127.0.0.1:{server.server_port}"
    finally:
        closing.set()
        server.shutdown()
        thread.join()
        server.server_close()


def certificate(folder: Path, address: str) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, address)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate, private = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trust.load_cert_chain(certificate, private)
    return trust
