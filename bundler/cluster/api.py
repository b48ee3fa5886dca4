"""One API server: GET and dry-run POST with a time limit, patience with a busy server, and errors that a person understands.

The official client reads the kubeconfig, runs its credential plugins and keeps the connection; its models are not used, since they
drop fields that they do not know.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import field
from typing import TYPE_CHECKING, Any

from bundler.cluster.heard import heard
from bundler.compose.wording import shown
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput, NotFound, TimedOut, Unavailable
from bundler.model.location import Location
from bundler.report.printable import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kubernetes.client import ApiClient

    from bundler.model.document import JsonObject

__all__ = ["Answer", "Api", "connect"]

_BUSY = frozenset({429, 502, 503, 504})
_FAULT = 500
_ONE_REQUEST = 30.0
_LONGEST_WAIT = 8.0
_TRIES = 5
_LOCATION = Location(file="the API server")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the API server answered.

    Attributes:
        status: HTTP status.
        data: the body; an empty object when it is none of JSON.
        warnings: texts of `Warning` headers.
    """

    status: int
    data: JsonObject = field(repr=False)
    warnings: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        """What the server says about a refusal, in one line."""
        text = self.data.get("message")
        return shortened(printable(text), 300) if isinstance(text, str) and text else f"HTTP status {self.status}"

    @property
    def reason(self) -> str:
        """The machine-readable reason of a refusal, such as `AlreadyExists`."""
        return str(self.data.get("reason", ""))


@dataclass(slots=True, kw_only=True)
class Api:
    """A connection, and the time that is left to it."""

    client: ApiClient
    deadline: float

    def get(self, path: str, query: Mapping[str, str] | None = None) -> Answer:
        """Read something; see `_call`."""
        return self._call("GET", path, query or {}, None)

    def dry_run(self, path: str, body: JsonObject) -> Answer:
        """Let the server judge the creation of an object, and store nothing; see `_call`."""
        return self._call("POST", path, {"dryRun": "All", "fieldValidation": "Strict", "fieldManager": "aicr"}, body)

    def _call(self, method: str, path: str, query: Mapping[str, str], body: JsonObject | None) -> Answer:
        """Ask until the server answers with more than that it is busy. A fault of its own is an answer when it stays.

        Raises:
            Unavailable: it cannot be reached, does not accept the credentials, stays busy, or breaks off its answers.
            TimedOut: the time is over.
        """
        problem = ""
        for attempt in range(_TRIES):
            answer, problem, wait = self._once(method, path, query, body)
            # One kind of object may fail for ever, by a broken webhook, while the server is well.
            if answer is not None and (answer.status != _FAULT or attempt == _TRIES - 1):
                return answer
            self._sleep(min(_LONGEST_WAIT, wait if wait is not None else 0.25 * 2**attempt), problem)
        raise _unavailable(f"the API server does not answer {path}: {problem}", "try again later")

    def _once(
        self, method: str, path: str, query: Mapping[str, str], body: JsonObject | None
    ) -> tuple[Answer | None, str, float | None]:
        """One request: the answer, or why it is worth another try and how long the server asks to wait."""
        from kubernetes import client  # noqa: PLC0415  (an extra, which made this connection)
        from urllib3 import exceptions as network  # noqa: PLC0415  (as above)

        left = self.deadline - time.monotonic()
        if left <= 0:
            raise _timed_out("")
        request = self.client.param_serialize(
            method=method,
            resource_path=path,
            query_params=list(query.items()),
            header_params={"Accept": "application/json", **({"Content-Type": "application/json"} if body else {})},
            body=body,
            auth_settings=["BearerToken"],
        )
        seconds = min(_ONE_REQUEST, left)
        try:
            response: Any = self.client.call_api(*request, _request_timeout=(seconds, seconds))
            text: bytes = response.read()
        except network.HTTPError as error:
            cause = (error.reason if isinstance(error, network.MaxRetryError) else None) or error
            if isinstance(cause, network.SSLError):
                raise _tls(cause) from None
            if isinstance(cause, network.NewConnectionError):
                fix = "check the server of the kubeconfig, and the network"
                raise _unavailable(f"the API server cannot be reached: {_reason(cause)}", fix) from None
            return None, _reason(cause), None
        except client.ApiException as error:
            # The client gives an error of TLS this form, without a status.
            if str(error.reason).startswith("SSLError"):
                raise _tls(ValueError(error.reason)) from None
            return None, _reason(error), None
        return _answer(response, text)

    def _sleep(self, seconds: float, problem: str) -> None:
        if time.monotonic() + seconds >= self.deadline:
            raise _timed_out(problem)
        time.sleep(seconds)


def connect(*, kubeconfig: Path | None, context: str | None, timeout: float) -> Api:
    """A connection to the cluster of a kubeconfig, or to the one that this process runs in.

    Args:
        kubeconfig: a file; KUBECONFIG or the default place when None.
        context: a context in it; the current one when None.
        timeout: seconds for everything together.

    Raises:
        NotFound: the file or the context does not exist.
        InvalidInput: the extra is not installed, or the kubeconfig cannot be used.
        Unavailable: the kubeconfig's credential plugin fails.
    """
    try:
        from kubernetes import client, config  # noqa: PLC0415  (an extra, and 600 ms)
        from yaml import YAMLError  # noqa: PLC0415  (what reads the kubeconfig raises it)
    except ImportError:
        message = "reading a live cluster needs the Kubernetes client"
        fix = "pip install 'aicr[cluster]', or save lists with kubectl and give them with --snapshot"
        raise InvalidInput("AICR-Q006", message, fix=fix) from None
    if kubeconfig is not None and not kubeconfig.is_file():
        place = Location(file=str(kubeconfig))
        raise NotFound("AICR-Q007", f"kubeconfig does not exist: {str(kubeconfig)!r}", location=place, fix="check the path")
    load_file: Any = config.load_kube_config
    load_own: Any = config.load_incluster_config
    settings = client.Configuration()
    # Waiting is decided here, once, and not a second time below.
    settings.retries = False
    place = Location(file=str(kubeconfig) if kubeconfig else "kubeconfig")
    try:
        try:
            with heard() as errors:
                load_file(
                    config_file=str(kubeconfig) if kubeconfig else None,
                    context=context,
                    client_configuration=settings,
                    persist_config=False,
                )
        except config.ConfigException:
            if kubeconfig is not None or context is not None or not os.environ.get("KUBERNETES_SERVICE_HOST"):
                raise
            load_own(client_configuration=settings)
    except config.ConfigException as error:
        problem = printable(str(error).partition("\n")[0])
        fix = "name a kubeconfig with --kubeconfig and a context in it with --context"
        if context is not None and "Expected object with name" in problem:
            raise NotFound("AICR-Q007", f"no context {shown(context)} in the kubeconfig", location=place, fix=fix) from None
        raise InvalidInput("AICR-Q007", f"the kubeconfig cannot be used: {problem}", location=place, fix=fix) from None
    except (OSError, ValueError, TypeError, AttributeError, KeyError, YAMLError) as error:
        problem = printable(shortened(str(error).partition("\n")[0], 200))
        raise InvalidInput(
            "AICR-Q007", f"the kubeconfig cannot be used: {problem}", location=place, fix="correct the file"
        ) from None
    if errors:
        problem = printable(shortened(errors[0].partition("\n")[0], 200))
        fix = "log in again, or correct the user of the context"
        raise Unavailable("AICR-Q008", f"the kubeconfig's plugin gives no credentials: {problem}", location=place, fix=fix)
    return Api(client=client.ApiClient(settings), deadline=time.monotonic() + timeout)


def _answer(response: Any, text: bytes) -> tuple[Answer | None, str, float | None]:
    after = response.headers.get("Retry-After", "")
    wait = float(after) if after.isdigit() else None
    if response.status in _BUSY:
        return None, f"HTTP status {response.status}", wait
    if response.status < 400 and (foreign := _foreign(response)):  # noqa: PLR2004  (neither a refusal nor a fault)
        fix = "check the server of the kubeconfig, and what stands before it: a proxy or a login page may answer in its place"
        raise _unavailable(f"what answers is no API server: {foreign}", fix)
    try:
        data = json.loads(text)
    except ValueError:
        data = {}
        if response.status < 300:  # noqa: PLR2004  (a success whose body is broken off)
            return None, "its answer is no JSON", None
    answer = Answer(
        status=response.status, data=data if isinstance(data, dict) else {}, warnings=_warnings(response.headers.get("Warning", ""))
    )
    if answer.status == 401:  # noqa: PLR2004  (Unauthorized)
        raise _unavailable("the API server does not accept the credentials", "log in again, or choose another context")
    return answer, answer.message, wait


def _foreign(response: Any) -> str:
    """What shows that an answer is not of an API server, which sends JSON and no one elsewhere; empty when nothing does."""
    if 300 <= response.status < 400:  # noqa: PLR2004  (redirections)
        return f"it sends to {shown(response.headers.get('Location', 'nowhere'))}"
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return f"it sends {shown(kind)}, not application/json" if kind and not kind.endswith("json") else ""


def _warnings(header: str) -> tuple[str, ...]:
    """The texts of `299 - "text"`, of which one header line may hold several."""
    found, decoder, position = [], json.JSONDecoder(), header.find('"')
    while position >= 0:
        try:
            text, end = decoder.raw_decode(header, position)
        except ValueError:
            break
        found.append(shortened(printable(str(text)), 300))
        position = header.find('"', end)
    return tuple(found)


def _reason(error: BaseException) -> str:
    """What went wrong, without the name of the client's object."""
    return shortened(printable(" ".join((str(error).partition(": ")[2] or str(error)).split())), 200)


def _tls(error: BaseException) -> Unavailable:
    return _unavailable(
        f"the API server's certificate is not accepted: {_reason(error)}", "correct the kubeconfig's certificate authority"
    )


def _unavailable(message: str, fix: str) -> Unavailable:
    return Unavailable("AICR-Q008", message, location=_LOCATION, fix=fix)


def _timed_out(problem: str) -> TimedOut:
    message = "the time for the cluster is over" + (f": {problem}" if problem else "")
    return TimedOut("AICR-Q009", message, location=_LOCATION, fix="give more time with --timeout SECONDS")
