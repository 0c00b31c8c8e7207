"""Go's own client of checksum databases proves each leaf of the ledger, from what the service shows of it (tiles.go)."""

import http.server
import json
import os
import subprocess
import threading

import http_client
from daemon import Daemon, eventually
from trail import Fleet

DEVICES = 4  # each may send 20,000 records a day
# A log begins with the entries of its devices. A tile is full at 256 leaves, and the first one above it at 65,536.
SIZES = (DEVICES, 255, 256, 257, 513)
LARGE_SIZES = (65_535, 65_536, 65_537, 66_000)


def run(run):
    store = run.store()
    witness = "file:" + os.path.join(store.folder, "witness.pem")
    public = told("key", "create", "--witness-key", witness)["keys"][0]["publicKey"]
    with run.daemon("--witness-key", witness, store=store) as service:
        token = told("auditor", "create", "go", "--store", store.uri)["token"]
        client, mirror = service.client(), Mirror(service.port)
        prover = Prover(run, mirror.url, service.name, public, token)
        trails = Fleet(service).enrol(DEVICES)
        sizes = SIZES + (LARGE_SIZES if run.is_full and run.kind == "sqlite" else ())
        former = []
        for size, grown in zip(sizes, (DEVICES,) + sizes):
            each, rest = divmod(size - grown, DEVICES)
            for trail, count in zip(trails, (each + rest, each, each, each)):
                deliver(trail, client, count)
            eventually(f"a signed head of {size} leaves", lambda: note(client).split(b"\n")[1] == b"%d" % size)
            former = prover.ends(0, *former)
            assert former[0] == str(size), former
            if size == 513:
                refuse_changes(prover, mirror, note(client))
        prover.ends(1, str(SIZES[1]), former[1])
        run.say(f"Go proves each leaf of logs of {sizes}, and refuses each changed note, tile and leaf")
        assert service.stop() == 0


def refuse_changes(prover, mirror, text):
    """A byte that is another, of each tile of a log of 513 leaves, and of what the witness's key signed."""
    end = text.index(b"\n\n") + 1
    witness = text.rindex("— ".encode())
    changes = [("checkpoint", place) for place in [*range(end), *range(witness, len(text) - 3)]]
    for tile, count in (("0/000", 8192), ("0/001", 8192), ("0/002.p/1", 32), ("1/000.p/2", 64)):
        changes += [(f"tile/{tile}", place) for place in (0, count // 2, count - 1)]
    changes += [(f"tile/entries/{bundle}", place) for bundle in ("000", "001", "002.p/1") for place in (0, 1, 99, -1)]
    for change in changes:
        mirror.changed = change
        prover.ends(1)
    mirror.changed = None, 0


def told(*words):
    """What a command of the service's prints."""
    return json.loads(subprocess.run([Daemon.binary, "--json", *words], capture_output=True, check=True).stdout)


def note(client):
    return client.get("/v1/audit/checkpoint").body


def deliver(trail, client, count):
    """Writes records, and sends them in uploads as large as may be."""
    trail.write(count)
    while trail.delivered < len(trail.lines):
        end = min(len(trail.lines), trail.delivered + 256)
        assert trail.send(client, trail.delivered, end) == 200


class Prover:
    """Go's client, built from Debian's packages alone."""

    def __init__(self, run, *words):
        self.program, self.words = os.path.join(run.scratch, "tiles"), words
        places = {"GOPATH": "/usr/share/gocode", "GOCACHE": os.path.abspath(".build/go")}
        subprocess.run(
            ["go", "build", "-o", self.program, os.path.join(os.path.dirname(os.path.abspath(__file__)), "tiles.go")],
            env={**os.environ, **places, "GO111MODULE": "off", "GOFLAGS": ""}, check=True,
        )  # fmt: skip

    def ends(self, code, *former):
        """Runs it over the log as it is shown now; returns the words that it prints."""
        told = subprocess.run([self.program, *self.words, *former], capture_output=True, text=True)
        assert told.returncode == code, told
        return told.stdout.split()


class Mirror:
    """Shows what the service shows, below its URL; of a path that is `changed` one byte is another."""

    def __init__(self, port):
        mirror, source = self, http_client.Client(port)
        self.changed = None, 0

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                answer = source.get("/v1/audit" + self.path, self.headers["Authorization"].split()[1])
                body, (path, place) = bytearray(answer.body), mirror.changed
                if self.path == f"/{path}":
                    body[place] ^= 1
                self.send_response(answer.status)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words):
                pass

        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{server.server_port}/"
        threading.Thread(target=server.serve_forever, daemon=True).start()
