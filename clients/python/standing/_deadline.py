"""Ends an answer that takes longer than the timeout, however little of it arrives at a time.

The timeout of a socket is that of one read: a server that sends a byte a second would never reach it.
"""

from __future__ import annotations

import http.client
import io
import socket
import time
import urllib.request
from typing import Any, List


class _Reader(io.RawIOBase):
    """What a socket receives until its timeout has passed, counted from now."""

    def __init__(self, sock: socket.socket) -> None:
        timeout = sock.gettimeout()
        self._sock = sock
        self._raw = sock.makefile("rb", buffering=0)
        self._deadline = None if timeout is None else time.monotonic() + timeout

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        if self._deadline is not None:
            remaining = self._deadline - time.monotonic()
            if remaining <= 0:
                raise TimeoutError
            self._sock.settimeout(remaining)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp.close()
        self.fp = io.BufferedReader(_Reader(sock))


class _Connection(http.client.HTTPConnection):
    response_class = _Response


class _SecureConnection(http.client.HTTPSConnection):
    response_class = _Response


class _Handler(urllib.request.HTTPHandler):
    def http_open(self, request: urllib.request.Request) -> Any:
        return self.do_open(_Connection, request)


class _SecureHandler(urllib.request.HTTPSHandler):
    def https_open(self, request: urllib.request.Request) -> Any:
        return self.do_open(_SecureConnection, request, context=self._context)


def handlers() -> List[urllib.request.BaseHandler]:
    """For an opener, in place of its own for http and https."""
    return [_Handler(), _SecureHandler()]
