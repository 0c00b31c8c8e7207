"""A playground without a phone: the page's HTTP over states that are replayed from `States/replay.json`.

The real phone does not reach every state on demand: a full disk, a vault of a newer version, a state that a later library adds.
`python3 fake.py [PORT]` prints the address and serves until it is ended, for whoever changes the page.
"""

import base64
import json
import pathlib
import re
import secrets
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGE = ROOT / "Sources/Command/ThumbturnPlayground"
RULES = ROOT / "Sources/Library/ThumbturnRules"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'"
)
FILES = {
    "/": ("Page/page.html", "text/html; charset=utf-8"),
    "/page.js": ("Page/page.js", "text/javascript; charset=utf-8"),
    "/page.css": ("Page/page.css", "text/css; charset=utf-8"),
    "/tours.json": ("Page/tours.json", "application/json"),
}
PIN = b"480295"
LONGEST = 64 * 1024


def strings(text):
    return [part.replace('\\"', '"') for part in re.findall(r'"((?:[^"\\]|\\.)*)"', text)]


def library_words():
    """The screens' texts by name, in both languages, out of the one place that has them."""
    words = {}
    for file in (RULES / "Screens").glob("Words+*.swift"):
        for name, body in re.findall(r"static let (\w+) = Words\(((?:[^()]|\([^()]*\))*)\)", file.read_text("utf-8")):
            texts = strings(body)
            if len(texts) == 2:
                words[name] = texts
    return words


def library_errors():
    """Each code's message in both languages."""
    text = (RULES / "Errors/ErrorCode+Catalogue.swift").read_text("utf-8")
    found = re.findall(r"case \.(\w+):\s*CatalogueEntry\((.*?)\n {12}\)", text, re.S)
    errors = {}
    for name, body in found:
        texts = strings(body)
        errors[name] = {"code": texts[0], "recovery": re.findall(r"\.(\w+)", body)[1], "texts": texts[1:3]}
    return errors


class Phone:
    """What is replayed: one state at a time, and what leads from one to another."""

    def __init__(self, replay=None):
        self.replay = replay or json.loads((HERE / "States/replay.json").read_text("utf-8"))
        self.words, self.errors = library_words(), library_errors()
        self.changed = threading.Condition()
        self.revision, self.language, self.name = 1, "en", self.replay["start"]
        self.heard, self.has_service = [], True

    def text(self, value):
        """Fills in what the library says: `$w:locked`, `$e:strongFactorRefused`, and lists and objects of them."""
        which = 0 if self.language == "en" else 1
        if isinstance(value, dict):
            return {key: self.text(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.text(one) for one in value]
        if value == "$trail":
            return self.trail()
        if isinstance(value, str) and value.startswith("$w:"):
            return self.words[value[3:]][which]
        if isinstance(value, str) and value.startswith("$e:"):
            error = self.errors[value[3:]]
            return {"code": error["code"], "message": error["texts"][which], "hint": None, "recoverable": True}
        return value

    def overlay(self, name):
        """A state's differences from the first one, with those of the state that it is like."""
        state = self.replay["states"][name]
        return {**(self.overlay(state["like"]) if "like" in state else {}), **state.get("set", {})}

    def state(self):
        state = json.loads(json.dumps(self.replay["base"]))
        for path, value in self.overlay(self.name).items():
            *parts, last = path.split(".")
            place = state
            for part in parts:
                place = place[int(part)] if isinstance(place, list) else place[part]
            place[int(last) if isinstance(place, list) else last] = value
        state["host"]["language"] = self.language
        which = 0 if self.language == "en" else 1
        state["words"] = {key: texts[which] for key, texts in self.words.items()}
        return self.text(state)

    def show(self, name):
        with self.changed:
            self.name = name
            self.revision += 1
            self.changed.notify_all()

    def hear(self, event):
        """Follows the first move that fits; an event that fits none changes nothing."""
        self.heard.append(event)
        for move in self.replay["moves"]:
            places = move["in"] if isinstance(move["in"], list) else [move["in"]]
            if move["on"] == event and (self.name in places or "*" in places):
                self.show(move["to"])
                return self.text(move.get("answer", {}))
        return {}

    def act(self, line, secret):
        act = line["act"]
        if act["name"] == "language":
            with self.changed:
                self.language = act["language"]
                self.revision += 1
                self.changed.notify_all()
            return {}
        event = f"act {act['screen']}.{act['name']}"
        event += {"consent": {True: " yes", False: " no"}}.get("consent", {}).get(act.get("consent"), "")
        if act["name"] == "appBecame":
            event += f" {act['phase']}"
        if act.get("secret") == "taken":
            event += " right" if secret == PIN or len(secret) > 12 else " wrong"
        return self.hear(event)

    def trail(self):
        return "\n".join(json.dumps(one) for one in self.replay["base"]["inside"]["trail"])

    def verify(self, line):
        if "export" not in line:
            return self.text({"error": "$e:authorizationExpired"})
        whole, given = self.trail(), line["export"]
        for index, (one, other) in enumerate(zip(whole.split("\n"), given.split("\n"))):
            if one != other:
                return self.text({"export": given, "isWhole": False, "seq": index, "error": "$e:trailBroken"})
        return {"export": given, "isWhole": given == whole, "seq": None}

    def thief(self, secret):
        """A copy alone gives nothing, at the cost of Argon2id; the phone counts, and then makes him wait."""
        pins = secret.split(b"\n")
        copy = [{"withDevice": False, "opened": False, "milliseconds": 140 + index * 3, **self.refusal("keyMissing")}
                for index, _ in enumerate(pins)]
        phone = [{"withDevice": True, "opened": False, "milliseconds": 152 if index < 4 else 0,
                  **self.refusal("strongFactorRefused" if index < 4 else "attemptDelayed")}
                 for index, _ in enumerate(pins)]
        return {"tries": copy + phone}

    def refusal(self, name):
        error = self.text(f"$e:{name}")
        return {"code": error["code"], "message": error["message"]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, body=b"", kind="application/json", **headers):
        self.send_response(status)
        for name, value in {
            "Content-Type": kind, "Content-Length": str(len(body)), "Content-Security-Policy": POLICY,
            "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", **headers,
        }.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def handle_one_request(self):
        super().handle_one_request()
        self.close_connection |= self.server.is_ending

    def is_allowed(self):
        server = self.server
        hosts = [f"127.0.0.1:{server.server_port}", f"localhost:{server.server_port}"]
        if self.headers.get("Host") not in hosts:
            return False
        if self.command == "POST" and self.headers.get("Origin") not in [f"http://{host}" for host in hosts]:
            return False
        return f"playground={server.token}" in self.headers.get("Cookie", "").split("; ")

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/" and query == f"token={self.server.token}":
            cookie = f"playground={self.server.token}; HttpOnly; SameSite=Strict; Path=/"
            return self.send(303, Location="/", Set_Cookie=cookie)
        if not self.is_allowed():
            return self.send(403)
        if path in FILES:
            file, kind = FILES[path]
            return self.send(200, (PAGE / file).read_bytes(), kind)
        if path == "/state":
            return self.answer_later(int(query.removeprefix("after=") or 0))
        return self.send(404)

    def answer_later(self, after):
        phone = self.server.phone
        end = time.monotonic() + 25
        with phone.changed:
            while phone.revision == after and not self.server.is_ending and time.monotonic() < end:
                phone.changed.wait(0.5)
            if self.server.is_ending:
                self.close_connection = True
                return None
            body = json.dumps({"hasService": phone.has_service, "revision": phone.revision, "state": phone.state()}).encode()
        self.send(200, body)

    def do_POST(self):
        if not self.is_allowed():
            return self.send(403)
        length = int(self.headers.get("Content-Length", 0))
        if length > LONGEST:
            return self.send(413)
        body = self.rfile.read(length)
        line, _, secret = body.partition(b"\n")
        phone = self.server.phone
        try:
            told = json.loads(line or b"{}")
            answer = {
                "/act": lambda: phone.act(told, secret), "/world": lambda: phone.hear("world " + told["word"]),
                "/kill": lambda: phone.hear("kill"), "/start": lambda: phone.hear("start new" if told.get("new") else "start"),
                "/verify": lambda: phone.verify(told), "/thief": lambda: phone.thief(secret),
            }[self.path]()
        except (KeyError, ValueError, TypeError):
            return self.send(400)
        return self.send(200, json.dumps({"answer": answer}).encode())


class Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        """A page that is closed in mid-wait is no error."""

    daemon_threads = True

    def __init__(self, port=0, replay=None):
        super().__init__(("127.0.0.1", port), Handler)
        self.phone, self.is_ending = Phone(replay), False
        self.token = base64.urlsafe_b64encode(secrets.token_bytes(16)).decode().rstrip("=")
        self.address = f"http://127.0.0.1:{self.server_port}/?token={self.token}"

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.is_ending = True
        self.shutdown()
        self.server_close()


if __name__ == "__main__":
    with Server(int(sys.argv[1]) if len(sys.argv) > 1 else 0) as server:
        print(json.dumps({"address": server.address}), flush=True)
        threading.Event().wait()
