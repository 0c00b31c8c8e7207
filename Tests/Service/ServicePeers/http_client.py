"""A plain client of the service's HTTP: one connection, JSON out and in."""

import http.client
import json
import ssl


class Answer:
    """What came back."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """The `code` of a problem; None where the answer is none."""
        if not self.headers.get("content-type", "").startswith("application/problem+json"):
            return None
        return self.json["code"]

    def expect(self, status):
        """The JSON of an answer that has to have this status."""
        assert self.status == status, f"{self.status} for {status}: {self.body[:300]!r}"
        return self.json if self.body else None

    def __repr__(self):
        return f"<{self.status} {self.body[:200]!r}>"


class Client:
    """Keeps one connection open, and makes another where that has ended."""

    def __init__(self, port, source="127.0.0.1", timeout=30, tls=None):
        self.port, self.source, self.timeout, self.tls = port, source, timeout, tls
        self.connection = None

    def call(self, method, path, body=None, token=None, headers=None, again=True):
        """Asks once. A connection that the other side closed meanwhile is made anew, once, where nothing was answered.

        Where `again` is false it is not: what is signed with a nonce can't be asked twice."""
        for attempt in (1, 2):
            fresh = self.connection is None
            try:
                return self._call(method, path, body, token, headers or {})
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                self.close()
                if fresh or attempt == 2 or not again:
                    raise

    def _call(self, method, path, body, token, headers):
        if self.connection is None:
            arguments = dict(timeout=self.timeout, source_address=(self.source, 0))
            if self.tls:
                context = ssl.create_default_context(cafile=self.tls)
                self.connection = http.client.HTTPSConnection("localhost", self.port, context=context, **arguments)
            else:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, **arguments)
        headers = dict(headers)
        if body is not None:
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
            headers.setdefault("Content-Type", "application/json")
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self.connection.request(method, path, body=body, headers=headers)
        response = self.connection.getresponse()
        found = {name.lower(): value for name, value in response.getheaders()}
        answer = Answer(response.status, found, response.read())
        if response.will_close:
            self.close()
        return answer

    def post(self, path, body, token=None):
        return self.call("POST", path, body, token)

    def get(self, path, token=None):
        return self.call("GET", path, token=token)

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None
