"""A server that speaks the part of the Kubernetes API that is used: list with pages, get, discovery, and create with dryRun=All.

It answers from recorded objects over real HTTP, on this machine alone. Faults are given by path: each is used once, in order.
"""

import contextlib
import json
import ssl
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

__all__ = ["KubeServer", "kubeconfig", "status"]


def status(code, reason, message):
    """The Status object of a refusal."""
    return {"apiVersion": "v1", "kind": "Status", "status": "Failure", "code": code, "reason": reason, "message": message}


@dataclass
class Fault:
    """How a request goes wrong.

    Attributes:
        code: HTTP status of the answer.
        body: its body; a map is sent as JSON.
        headers: further headers.
        wait: seconds before it.
        cut: bytes after which the connection ends.
    """

    code: int = 200
    body: object = None
    headers: dict = field(default_factory=dict)
    wait: float = 0
    cut: int | None = None


class KubeServer:
    """`calls` are method and path with query, in order; `stored` is what requests would have stored."""

    def __init__(self, lists, *, token="sesame", tls=None):
        self.lists = lists
        self.token = token
        self.calls = []
        self.stored = []
        self.posted = []
        self.faults = {}
        self.always = {}
        self.discovery = {}
        self.verdicts = {}
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.server.server_address[1]}"

    def fail(self, path, *faults):
        """Answer the next requests for a path with faults."""
        self.faults.setdefault(path, []).extend(faults)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_error):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, method, target, body):
        """Status, body and headers of a request that meets no fault."""
        split = urlsplit(target)
        query = {name: values[-1] for name, values in parse_qs(split.query).items()}
        if method == "POST":
            return self.create(split.path, query, body)
        if split.path == "/version":
            return 200, {"major": "1", "minor": "34", "gitVersion": "v1.34.1"}, {}
        if split.path in self.discovery:
            return 200, {"kind": "APIResourceList", "resources": self.discovery[split.path]}, {}
        if split.path not in self.lists:
            return 404, "404 page not found\n", {}
        items = self.lists[split.path]
        start = int(query.get("continue", "0"))
        end = start + int(query.get("limit", len(items) or 1))
        metadata = {"resourceVersion": "7", **({"continue": str(end)} if end < len(items) else {})}
        return 200, {"kind": "List", "apiVersion": "v1", "metadata": metadata, "items": items[start:end]}, {}

    def create(self, path, query, body):
        self.posted.append((path, query, body))
        if query.get("dryRun") != "All":
            self.stored.append(body)
        code, answer, headers = self.verdicts.get(body["metadata"]["name"], (201, body, {}))
        return code, answer, headers


def _handler(kube):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_words):
            pass

        def serve(self):
            kube.calls.append((self.command, self.path))
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            path = urlsplit(self.path).path
            fault = kube.always.get(path) or (kube.faults[path].pop(0) if kube.faults.get(path) else None)
            scheme, _, token = self.headers.get("Authorization", "").partition(" ")
            if (scheme.lower(), token) != ("bearer", kube.token):
                return self.send(401, status(401, "Unauthorized", "Unauthorized"), {})
            if fault is None:
                return self.send(*kube.answer(self.command, self.path, body))
            time.sleep(fault.wait)
            if fault.code == 200 and fault.body is None:
                code, answer, headers = kube.answer(self.command, self.path, body)
                return self.send(code, answer, {**headers, **fault.headers}, cut=fault.cut)
            return self.send(fault.code, fault.body, fault.headers, cut=fault.cut)

        do_GET = do_POST = serve  # noqa: N815  (the names that http.server looks for)

        def send(self, code, answer, headers, cut=None):
            text = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError, ssl.SSLError):
                self.send_response(code)
                self.send_header("Content-Length", str(len(text)))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text[:cut])
                if cut is not None:
                    self.close_connection = True

    return Handler


def kubeconfig(path, server, *, token="sesame", authority=None, contexts=("lab",)):
    """A kubeconfig for a server, with a token."""
    cluster = {"server": server.url} | ({"certificate-authority": str(authority)} if authority else {})
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": cluster}],
        "users": [{"name": "u", "user": {"token": token}}],
        "contexts": [{"name": name, "context": {"cluster": "c", "user": "u"}} for name in contexts],
        "current-context": contexts[0],
    }
    path.write_text(json.dumps(document))
    return path
