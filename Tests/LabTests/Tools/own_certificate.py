"""A TLS context with a new self-signed certificate, created with openssl, for the tools in this folder."""
import os
import ssl
import subprocess
import tempfile


def context() -> ssl.SSLContext:
    with tempfile.TemporaryDirectory() as folder:
        key, leaf = os.path.join(folder, "key.pem"), os.path.join(folder, "leaf.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-keyout", key, "-out", leaf, "-days", "30", "-subj", "/CN=gateway.local"],
            check=True, capture_output=True,
        )
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(leaf, key)
        return tls
