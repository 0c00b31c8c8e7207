"""Starts `thumbturnd` as an operator does, and looks at it from outside."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import http_client

PATIENCE = 30  # seconds until something that should happen counts as broken


class Store:
    """A database of its own, with the service key that belongs to it."""

    def __init__(self, kind, scratch):
        self.kind = kind
        self.folder = tempfile.mkdtemp(prefix="store.", dir=scratch)
        self.key = os.path.join(self.folder, "service.key")
        if kind == "sqlite":
            os.mkdir(os.path.join(self.folder, "data"), 0o700)
            self.uri = "sqlite:" + os.path.join(self.folder, "data", "service.sqlite")
        else:
            self.name = "peers_" + os.urandom(6).hex()
            ask(kind, f"CREATE DATABASE {self.name}")
            self.uri = uri_of(self.name, kind)

    def remove(self):
        """Leaves nothing on a server that goes on."""
        if self.kind != "sqlite":
            ask(self.kind, f"DROP DATABASE {self.name} WITH (FORCE)")


def ask(server, statement):
    subprocess.run(["psql", "-qX", server, "-c", statement], check=True)


def uri_of(name, server):
    """The URI of another database on the PostgreSQL server that a URI names."""
    head, query = (server.split("?", 1) + [""])[:2]
    scheme, rest = head.split("://", 1)
    host = rest.split("/", 1)[0]
    return f"{scheme}://{host}/{name}" + (f"?{query}" if query else "")


class Daemon:
    """A running `thumbturnd`; `with` ends it."""

    binary = "thumbturnd"

    def __init__(self, store, *options, port=0, limits=True, environment=None):
        self.store, self.port = store, port
        self.environment = {**os.environ, **(environment or {})}
        self.options = list(options)
        if limits:  # of these tests all come from few addresses
            for limit in ("failures-per-minute", "registrations-per-minute", "logins-per-minute", "connections-per-network"):
                self.options += ["--" + limit, "1000000"]
        self.lines = []
        self.start()

    def start(self):
        """Starts it, and waits until it listens."""
        command = [
            self.binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--store", self.store.uri,
            "--service-key", self.store.key, *self.options,
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=self.environment)
        listening = threading.Event()
        self.reader = threading.Thread(target=self._read, args=(self.process, listening), daemon=True)
        self.reader.start()
        if not listening.wait(PATIENCE) or self.process.poll() is not None:
            raise AssertionError("thumbturnd does not listen: " + "".join(self.lines[-5:]))

    def _read(self, process, listening):
        for line in process.stdout:
            line = line.decode(errors="replace")
            self.lines.append(line)
            if '"listening"' in line:
                self.port = int(json.loads(line)["address"].rsplit(":", 1)[1])
                self.name = json.loads(line)["origin"]  # what devices sign, wherever it is dialled
                listening.set()
        listening.set()

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    def client(self, source="127.0.0.1", timeout=30):
        return http_client.Client(self.port, source, timeout)

    def kill(self):
        """What a power cut looks like to the process."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Ends it as systemd does; returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        return code

    def resident(self):
        """Its resident memory, in KiB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1])

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def eventually(what, condition, seconds=PATIENCE):
    """Waits until `condition()` is true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.02)


def scratch_folder():
    """A folder that is gone when the process ends."""
    import atexit

    folder = tempfile.mkdtemp(prefix="thumbturn-peers.")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
