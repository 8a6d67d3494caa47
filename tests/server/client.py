"""A small HTTP client for the tests: what a user's program would see."""

import http.client
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from texlift.server.process import Service, content_type


@dataclass(frozen=True)
class Answer:
    status_code: int
    headers: dict[str, str]
    text: str

    def json(self) -> Any:
        return json.loads(self.text)


@dataclass(frozen=True)
class Client:
    service: Service

    def get(self, path: str, params: dict[str, Any] | None = None, headers: dict[str, str] | None = None) -> Answer:
        return self._send("GET", path, None, params, headers)

    def post(
        self, path: str, json: Any = None, content: bytes | str = b"", params: dict[str, Any] | None = None
    ) -> Answer:
        return self._send("POST", path, _dumps(json) if json is not None else content, params, None)

    def _send(self, method: str, path: str, body: Any, params: Any, headers: Any) -> Answer:
        connection = http.client.HTTPConnection(self.service.host, self.service.port, timeout=60)
        try:
            connection.request(
                method,
                path + (f"?{urlencode(params)}" if params else ""),
                body,
                {"content-type": content_type(path), **(headers or {})},
            )
            response = connection.getresponse()
            text = response.read().decode()
            return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, text)
        finally:
            connection.close()


def _dumps(record: Any) -> str:
    return json.dumps(record)
