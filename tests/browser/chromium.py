"""A headless Chromium, driven over the DevTools protocol: just what the tests of the page ask of a browser."""

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import websocket

NAMES = ("chromium", "chromium-browser", "google-chrome")
ADDRESS = re.compile(r"DevTools listening on (ws://\S+)")
SECONDS = 30


def program():
    """The browser's program, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Tab:
    """One page. It keeps what the console says and which requests the page makes."""

    def __init__(self, connection, session):
        self.connection = connection
        self.session = session
        self.number = 0
        self.console = []
        self.requests = []
        self.seen = set()

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.connection.send(json.dumps(message))
        while True:
            answer = self._next()
            if answer.get("id") == self.number and answer.get("sessionId", "") == self.session:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def wait(self, event):
        """Until something has happened since the last question was asked."""
        while event not in self.seen:
            self._next()

    def _next(self):
        event = json.loads(self.connection.recv())
        self.seen.add(event.get("method"))
        match event.get("method"):
            case "Log.entryAdded":
                self.console.append(event["params"]["entry"]["text"])
            case "Runtime.consoleAPICalled" | "Runtime.exceptionThrown":
                self.console.append(json.dumps(event["params"]))
            case "Network.requestWillBeSent":
                self.requests.append(event["params"]["request"]["url"])
        return event

    def run(self, script):
        """What a script comes to, as plain data."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def open(self, html, *, width=1280, height=900, scheme="light"):
        """Show a file, whole, in a window of a width and in a colour scheme."""
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.resize(width, height)
        self.scheme(scheme)
        self.seen.clear()
        self.console.clear()
        self.requests.clear()
        self.ask("Page.navigate", url=Path(html).as_uri())
        self.wait("Page.loadEventFired")

    def resize(self, width, height=900):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, name, *, media=""):
        self.ask("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": name}])

    def press(self, key, *, modifiers=0):
        code = {"Tab": 9, "Enter": 13}[key]
        text = {"text": "\r"} if key == "Enter" else {}
        shared = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **shared, **text)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **shared)

    def picture(self):
        """The whole page as PNG."""
        size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        shot = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        return base64.b64decode(shot["data"])

    def pdf(self):
        return base64.b64decode(self.ask("Page.printToPDF")["data"])


@contextmanager
def browser():
    """A browser with a profile of its own; it ends with the block."""
    # Processes of the browser may outlive the first one for a moment, and write into the profile while it is removed.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        # In a container there is no sandbox to be had for root, and what is shown is our own.
        words = [program(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        words += ["--disable-background-networking", "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"]
        environment = {"PATH": os.environ["PATH"], "HOME": profile, "LANG": "C.UTF-8"}
        process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment)
        try:
            address = next(found[1] for line in process.stderr if (found := ADDRESS.search(line)))
            connection = websocket.create_connection(address, timeout=SECONDS, suppress_origin=True)
            yield connection
            connection.close()
        finally:
            process.terminate()
            process.wait(SECONDS)
            process.stderr.close()


def new_tab(connection):
    root = Tab(connection, "")
    root.number = 10_000 * (len(root.ask("Target.getTargets")["targetInfos"]) + 1)
    target = root.ask("Target.createTarget", url="about:blank")["targetId"]
    session = root.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    return Tab(connection, session)
