"""Reads what answers a request: the service, or something in front of it."""

from __future__ import annotations

import email.utils
import http.client
import json
import re
import time
from typing import Any, Dict, Mapping, NamedTuple, Optional

from ._errors import StandingError

# The statuses that the service answers without a body.
WITHOUT_BODY = (202, 204)
# Enough of an answer to recognise the page of a proxy.
SHOWN = 80
# Bytes that are read at a time.
PIECE = 65536


class Response(NamedTuple):
    """An answer with its whole body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def read_response(response: Any) -> Response:
    """The whole answer. Raises HTTPException if the body is cut."""
    pieces = []
    while True:
        piece = response.read1(PIECE)
        if not piece:
            break
        pieces.append(piece)
    body = b"".join(pieces)
    # What remains of the length that was announced.
    if response.length:
        raise http.client.IncompleteRead(body, response.length)
    return Response(response.status, response.headers, body)


def content_of(response: Response, is_text: bool) -> Any:
    """The JSON object or the JSON lines of an answer. Raises StandingError if it is not the service's."""
    status, headers, body = response
    if not 200 <= status < 300:
        raise _refusal(response)
    if not body and status in WITHOUT_BODY:
        return None
    text = body.decode("utf-8", "replace")
    if is_text and _is_lines(headers, text):
        return text
    content = None if is_text else _object_in(text)
    if isinstance(content, dict):
        return content
    raise unexpected(status, f"the answer is not the service's, but {text[:SHOWN]!r}")


def _is_lines(headers: Mapping[str, str], text: str) -> bool:
    """Whether these are JSON lines, of which none is cut."""
    is_of_type = (headers.get("content-type") or "").startswith("application/x-ndjson")
    return is_of_type and (not text or text.endswith("\n"))


def unexpected(status: int, message: str) -> StandingError:
    """The error of an answer that is not the service's."""
    advice = "check that base_url is the address of the service"
    return StandingError(status, "UNEXPECTED_RESPONSE", f"{message}: {advice}")


def _refusal(response: Response) -> StandingError:
    status, headers, body = response
    pause = _pause_of(headers.get("retry-after") or "")
    error = (_object_in(body.decode("utf-8", "replace")) or {}).get("error")
    if isinstance(error, dict) and isinstance(error.get("code"), str):
        details = error.get("details")
        message = str(error.get("message", ""))
        return StandingError(status, error["code"], message, details if isinstance(details, dict) else None, pause)
    location = headers.get("location")
    named = f" and names {location}: if the service is there, set base_url" if location else ""
    details = {"requestId": headers["x-request-id"]} if headers.get("x-request-id") else None
    return StandingError(status, "UNEXPECTED_RESPONSE", f"the server answered {status}{named}", details, pause)


def _pause_of(retry_after: str) -> Optional[float]:
    """RFC 9110, 10.2.3: whole seconds, or a date."""
    if re.fullmatch("[0-9]{1,9}", retry_after):
        return float(retry_after)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


def _object_in(text: str) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
