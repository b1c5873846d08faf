"""The client of a Standing trust score service: no dependencies, type hints included."""

from . import types
from ._client import Standing
from ._errors import StandingError
from ._webhooks import verify_webhook_signature

__version__ = "0.1.0"
__all__ = ["Standing", "StandingError", "types", "verify_webhook_signature"]
