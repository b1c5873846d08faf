"""What a call raises."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class StandingError(Exception):
    """Every failure of a call.

    ``code`` is the service's (``NOT_FOUND``, ``VALIDATION_ERROR``, …) or, with ``status`` 0, the client's own:
    ``NETWORK_ERROR``, ``TIMEOUT``, ``INVALID_CALL``, ``WEBHOOK_INVALID``. ``UNEXPECTED_RESPONSE`` is an answer, with its
    status, that is not the service's.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        details: Optional[Mapping[str, Any]] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.details = dict(details or {})
        self.retry_after = retry_after
        """Seconds for which the service asks to wait."""

    @property
    def request_id(self) -> Optional[str]:
        """What to name when asking the operator of the service."""
        return self.details.get("requestId")

    @property
    def is_transient(self) -> bool:
        """Whether the same request may well succeed a little later."""
        if self.status == 0:
            return self.code in ("NETWORK_ERROR", "TIMEOUT")
        if self.status == 409:
            return self.code == "IDEMPOTENCY_IN_PROGRESS"
        return self.status in (429, 502, 503, 504)

    def __repr__(self) -> str:
        return f"StandingError({self.status}, {self.code!r}, {self.message!r})"
