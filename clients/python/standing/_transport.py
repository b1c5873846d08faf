"""Sends requests, with the credential that each one takes, and repeats them where that is safe and can help."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from ._deadline import handlers
from ._errors import StandingError
from ._response import Response, content_of, read_response

DEFAULT_URL = "http://127.0.0.1:8080"

# A restart of the service takes three seconds, five on a busy machine: twice that.
RETRY_FOR = 10.0
# The window of requests a minute, and rounding. Longer quotas are thrown at once.
RETRY_AFTER_MAX = 65.0
# Above the service's own timeouts, so that it answers before the client gives up.
TIMEOUT = 30.0
# The first wait is up to this long, each one after it twice as long, at most.
BACKOFF_FIRST = 0.25
BACKOFF_MAX = 2.0

_KINDS = {"avs_": "agent", "avp_": "platform", "avo_": "operator", "avw_": "owner"}

_VISIBLE = re.compile("[!-~]+")

# An account has one set of people and keys for both modes.
_OF_ACCOUNT = ("/v1/auth/", "/v1/members", "/v1/invitations", "/v1/keys")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The service redirects no request; a credential is not to follow one elsewhere."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Transport:
    """A service and the credentials for it."""

    def __init__(
        self,
        base_url: Optional[str] = None,
        *,
        api_key: Optional[str] = None,
        token: Optional[str] = None,
        operator_key: Optional[str] = None,
        mode: Optional[str] = None,
        timeout: float = TIMEOUT,
        retry_for: float = RETRY_FOR,
        on_wait: Optional[Callable[[StandingError, float], None]] = None,
    ) -> None:
        """Without an address and a credential those of the environment are used: STANDING_URL, STANDING_API_KEY
        and STANDING_TOKEN. A key of the environment is never sent to an address that is given here.
        `mode` is `live` or `test`: the data that an owner or the operator works with.
        """
        given = [secret for secret in (api_key, token, operator_key) if secret]
        if base_url is None and not given:
            names = ("STANDING_API_KEY", "STANDING_TOKEN")
            given = [os.environ[name] for name in names if os.environ.get(name)]
        url = _address(base_url or os.environ.get("STANDING_URL") or DEFAULT_URL)
        if mode not in (None, "live", "test"):
            raise _invalid(f"mode must be live or test, not {mode!r}")
        self.base_url = url[: -len("/v1")] if url.endswith("/v1") else url
        self._credentials = _credentials_of(given)
        self._mode = mode
        self._is_test = mode == "test" or any(key[4:].startswith("test_") for key in self._credentials.values())
        self._timeout = timeout
        self._retry_for = retry_for
        self._on_wait = on_wait
        self._opener = urllib.request.build_opener(_NoRedirect, *handlers())

    @staticmethod
    def _part(value: str) -> str:
        """A part of a path. Empty and dotted ones would lead to another path."""
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise _invalid(f"an id cannot be {value!r}")
        try:
            return urllib.parse.quote(value, safe="")
        except UnicodeError as error:
            raise _invalid(f"an id cannot be {value!r}") from error

    def _request(
        self,
        method: str,
        path: str,
        kinds: Tuple[str, ...],
        *,
        body: Any = None,
        text: Optional[str] = None,
        query: Optional[Mapping[str, Any]] = None,
        is_write: bool = False,
        is_text: bool = False,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        headers = {"accept": "application/json, */*"}
        secret = next((self._credentials[kind] for kind in kinds if kind in self._credentials), None)
        if secret is None and (kinds or self._is_test) and self._credentials:
            # The service's answer says what it needs. Test data is not public.
            secret = next(iter(self._credentials.values()))
        if secret is not None:
            headers["authorization"] = f"Bearer {secret}"
        if self._mode is not None and not path.startswith(_OF_ACCOUNT):
            # Also without a credential: the service then refuses, where it would answer about live data.
            headers["standing-mode"] = self._mode
        data: Optional[bytes] = None
        if text is not None:
            headers["content-type"] = "application/x-ndjson"
            data = text.encode()
        elif body is not None:
            headers["content-type"] = "application/json"
            data = _json_of(body)
        if is_write or idempotency_key is not None:
            # The same on every attempt: a write that is repeated happens once.
            headers["idempotency-key"] = _idempotency_key(idempotency_key)
        url = self.base_url + path + _search(query or {})
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        return self._repeat(lambda: content_of(self._attempt(request), is_text))

    def _repeat(self, attempt: Callable[[], Any]) -> Any:
        failed_since: Optional[float] = None
        asked = 0.0
        attempts = 0
        while True:
            try:
                return attempt()
            except StandingError as error:
                attempts += 1
                now = time.monotonic()
                failed_since = now if failed_since is None else failed_since
                pause = error.retry_after or 0.0
                if not error.is_transient or now - failed_since - asked >= self._retry_for:
                    raise
                if asked + pause > RETRY_AFTER_MAX:
                    raise
                asked += pause
                bound = min(BACKOFF_MAX, BACKOFF_FIRST * 2.0 ** (attempts - 1))
                wait = pause + bound * random.uniform(0.5, 1.0)
                if self._on_wait is not None:
                    self._on_wait(error, wait)
                time.sleep(wait)

    def _attempt(self, request: urllib.request.Request) -> Response:
        url = request.full_url
        try:
            with self._open(request) as response:
                return read_response(response)
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            reason = getattr(error, "reason", error)
            # In Python 3.9 the timeout of a socket is not a TimeoutError.
            if isinstance(reason, (TimeoutError, socket.timeout)):
                raise StandingError(0, "TIMEOUT", f"{url} did not answer in {self._timeout} s") from error
            message = f"{url} cannot be reached: {str(reason).strip() or repr(reason)}"
            raise StandingError(0, "NETWORK_ERROR", message) from error

    def _open(self, request: urllib.request.Request) -> Any:
        try:
            return self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as response:
            # An answer all the same.
            return response


def _address(given: str) -> str:
    """An address without a slash at its end. One that no request can be sent to is refused before the first."""
    url = given.strip()
    try:
        parts = urllib.parse.urlsplit(url)
        host = (parts.hostname or "").encode("idna")
        parts.port  # Raises ValueError unless it is a number up to 65535.
    except ValueError as error:
        raise _invalid(f"base_url is {given!r}, which is no address: {error}") from error
    if parts.scheme not in ("http", "https") or not host or not _VISIBLE.fullmatch(url):
        raise _invalid(f"base_url must be an http or https address, not {given!r}")
    if "@" in parts.netloc or "?" in url or "#" in url:
        raise _invalid("base_url has a user, a query or a fragment: it is an address alone")
    return url.rstrip("/")


def _credentials_of(given: List[str]) -> Dict[str, str]:
    """By kind: a key says what it is, so one given as another is sent as what it is."""
    found: Dict[str, str] = {}
    for secret in (one.strip() for one in given):
        if not _VISIBLE.fullmatch(secret):
            raise _invalid("a credential is empty, or has characters that no credential has")
        kind = _KINDS.get(secret[:4], "owner")
        if found.setdefault(kind, secret) != secret:
            raise _invalid(f"two different credentials of the kind {kind} are given")
    return found


def _idempotency_key(given: Optional[str]) -> str:
    key = given or str(uuid.uuid4())
    if not _VISIBLE.fullmatch(key) or len(key) > 255:
        raise _invalid("idempotency_key is not 1 to 255 visible ASCII characters")
    return key


def _json_of(body: Any) -> bytes:
    try:
        return json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise _invalid(f"the body cannot be written as JSON: {error}") from error


def _invalid(message: str) -> StandingError:
    return StandingError(0, "INVALID_CALL", message)


def _search(query: Mapping[str, Any]) -> str:
    given = {name: _text(value) for name, value in query.items() if value is not None}
    try:
        return "?" + urllib.parse.urlencode(given) if given else ""
    except UnicodeError as error:
        raise _invalid(f"a parameter cannot be sent: {error}") from error


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
