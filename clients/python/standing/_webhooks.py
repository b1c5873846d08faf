"""Verifies what the service signs: Standard Webhooks 1.0.0."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, Mapping, Optional, Union

from ._errors import StandingError

# Notifications further off are refused: a captured one cannot be sent again later.
TOLERANCE = 300.0


def verify_webhook_signature(
    payload: Union[bytes, str],
    headers: Mapping[str, str],
    secret: Optional[str],
    *,
    tolerance: float = TOLERANCE,
    now: Optional[float] = None,
) -> Dict[str, Any]:
    """The notification, if it was signed with the secret; ``payload`` is the body exactly as received.

    Raises StandingError with the code WEBHOOK_INVALID, or INVALID_CALL where an argument is not one of these, which is
    not the sender's fault.
    """
    # No time is further off than NaN, so every captured notification would be accepted.
    if not tolerance >= 0:
        raise _invalid_call(f"tolerance is {tolerance}: it takes seconds, 0 or more")
    if not isinstance(payload, (bytes, str)):
        raise _invalid_call("the payload is not text or bytes: it is the body as it was received, before any parsing")
    key = _key(secret)
    found = {name.lower(): value for name, value in headers.items()}
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    missing = [name for name in names if not found.get(name)]
    if missing:
        raise _invalid(f"the {missing[0]} header is missing")
    message_id, timestamp, signatures = (found[name] for name in names)
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        raise _invalid("the webhook-timestamp header is not a time")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise _invalid("the notification is too old, or from the future")
    body = payload.encode() if isinstance(payload, str) else payload
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # More than one while a secret is being rotated.
    matches = [hmac.compare_digest(one.encode("utf-8", "replace"), expected) for one in signatures.split(" ")]
    if not any(matches):
        raise _invalid("no signature matches the secret")
    try:
        notification: Dict[str, Any] = json.loads(body)
    except ValueError:
        raise _invalid("the body is not JSON") from None
    return notification


def _key(secret: Optional[str]) -> bytes:
    try:
        if secret and secret.startswith("whsec_"):
            key = base64.b64decode(secret[len("whsec_") :], validate=True)
            if key:
                return key
    except ValueError:
        pass
    # The secret itself is not named: messages end in logs.
    raise _invalid_call("the secret is not whsec_ and base64, as the service shows it")


def _invalid_call(message: str) -> StandingError:
    return StandingError(0, "INVALID_CALL", message)


def _invalid(message: str) -> StandingError:
    return StandingError(0, "WEBHOOK_INVALID", message)
