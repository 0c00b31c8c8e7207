"""The ledger under kills, failing calls, and a token, a database and a clock that go: at the end each event is in the log once,
and no receipt came without a durable leaf and a stored signature.

40 kills on each store, and the first, middle and last call of each kind; `make test-service PEERS='--full ledger'` runs 500, and
lets every call fail."""

import collections
import contextlib
import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
import time

from daemon import eventually
from suite_faults import outage
from trail import Fleet

MODULE = "/usr/lib/softhsm/libsofthsm2.so"
# `clock_gettime` as on a machine whose clock is an hour back from when a file appears.
CLOCK = """
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME && access(getenv("CLOCK_IS_BACK"), F_OK) == 0) now->tv_sec -= 3600;
    return result;
}
"""


def run(run):
    kills(run)
    clock_set_back(run)
    if run.kind == "sqlite":
        calls_fail(run)
        token_goes(run)
    else:
        database_goes(run)
        answers_lost(run)


def kills(run):
    """kill -9 while devices deliver, also soon after a start."""
    rounds = 500 if run.is_full else 40
    with run.daemon() as service:
        fleet = Fleet(service)
        for number in range(0, rounds, 50):
            # Of a device the log takes so many records a day, and no more.
            with fleet.load(fleet.enrol(6)):
                for _ in range(number, min(number + 50, rounds)):
                    time.sleep(random.uniform(0, 0.15))
                    service.kill()
                    service.start()
        run.say(f"{rounds} kills: {fleet.judge(run)}: each event there once, each receipt proved, signed and stored")


def clock_set_back(run):
    """The system's clock, an hour, and forth again."""
    store = run.store()
    library, mark = (os.path.join(store.folder, name) for name in ("clock.so", "back"))
    compiler = shutil.which("clang") or "cc"
    subprocess.run([compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=CLOCK.encode(), check=True)
    with run.daemon(store=store, environment={"LD_PRELOAD": library, "CLOCK_IS_BACK": mark}) as service:
        fleet = Fleet(service)
        fleet.enrol(4)
        with fleet.load():
            for change in (lambda: open(mark, "x").close(), lambda: os.remove(mark)):
                delivered(fleet)
                change()
                delivered(fleet)
        hours = [json.loads(line)["time"][:13] for line in service.lines]
        assert any(later < former for former, later in zip(hours, hours[1:])), "the clock went on"
        run.say(f"a clock an hour back, and forth again: {fleet.judge(run)}")


def delivered(fleet, count=20):
    """Waits for so many receipts more."""
    most = fleet.receipts + count
    eventually("receipts", lambda: fleet.receipts >= most)


def calls_fail(run):
    """Each call of a batch on the files of database and key fails; a batch copies the database's log too."""
    with run.daemon() as service:
        fleet = Fleet(service)
        (trail,) = fleet.enrol(1)
        trail.refusals.add(500)  # SQLite calls a page damaged that the disk can't read
        with long_log(service, trail) as renew:
            for _ in range(2):
                renew()
                deliver(service, trail)
            renew()
            with Trace(service) as trace:
                deliver(service, trail)
            made = trace.calls
            assert made["pwrite64"] and made["fdatasync"] > 2, made  # of two commits, and of the copy
            seen = collections.Counter()
            for call, count in sorted(made.items()):
                for place in range(1, count + 1) if run.is_full else {1, (count + 1) // 2, count}:
                    for fault in ("error=EIO", "error=ENOSPC", "signal=KILL"):
                        renew()
                        with Trace(service, f"inject={call}:{fault}:when={place}") as trace:
                            deliver(service, trail)
                        seen[call, fault] += trace.is_injected
                        # SQLite keeps a lock whose release failed, which no disk of this machine's own makes it, until the end.
                        if trace.keeps_lock:
                            service.kill()
                        if service.process.poll() is not None:
                            service.start()
                        trail.settle(service.client())
            assert all(seen[call, fault] for call, fault in seen), seen
        told = ", ".join(f"{sum(n for (name, _), n in seen.items() if name == call)} × {call}" for call in sorted(made))
        run.say(f"EIO, ENOSPC and a kill at {told}: {fleet.judge(run)}")


def deliver(service, trail):
    """A record, and its receipt if there is one soon."""
    client = service.client(timeout=10)
    trail.write(1)
    for _ in range(3):
        if trail.send(client, trail.delivered, len(trail.lines)) == 200:
            return
        time.sleep(0.05)


@contextlib.contextmanager
def long_log(service, trail):
    """The database's log is so long that each commit copies it, as far as a reader let it: up to the last `renew()`."""
    path = service.store.uri.removeprefix("sqlite:")
    reader = None

    def renew():
        nonlocal reader
        former, reader = reader, sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM leaves").fetchone()
        if former:
            former.close()

    renew()
    try:
        client = service.client()
        while os.path.getsize(path + "-wal") < 1000 * 4200:  # it is copied from 1,000 pages on
            trail.write(256)
            trail.settle(client)
        yield renew
    finally:
        reader.close()


class Trace:
    """The calls of a service on the files of its database and key, under strace; each thread counts for itself."""

    def __init__(self, service, *faults):
        data = service.store.uri.removeprefix("sqlite:")
        files = [data, data + "-wal", data + "-shm", service.store.key, os.path.join(service.store.folder, "audit.pem")]
        self.log = os.path.join(service.store.folder, "calls")
        words = ["strace", "-f", "-o", self.log, "-p", str(service.process.pid)]
        words += [word for file in files for word in ("-P", file)] + [word for fault in faults for word in ("-e", fault)]
        self.process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        told = self.process.stderr.readline()
        assert "attached" in told, told

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.send_signal(signal.SIGINT)
        self.process.communicate()
        with open(self.log) as file:
            text = file.read()
        self.is_injected = "(INJECTED)" in text or "killed by SIGKILL" in text
        self.keeps_lock = bool(re.search(r"F_UNLCK.*\(INJECTED\)", text))
        # The most that one thread made of each.
        self.calls = {}
        for (_, call), count in collections.Counter(re.findall(r"^(\d+) +(\w+)\(", text, re.MULTILINE)).items():
            self.calls[call] = max(count, self.calls.get(call, 0))


def token_goes(run):
    """The token of the key that signs is taken away, and put back: meanwhile what is stored waits for its signature."""
    store = run.store()
    tokens, away, settings, pin = (os.path.join(store.folder, name) for name in ("tokens", "away", "softhsm2.conf", "pin"))
    os.mkdir(tokens)
    for path, text in ((settings, f"directories.tokendir = {tokens}\nobjectstore.backend = file\n"), (pin, "1234")):
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(text)
    environment = {"SOFTHSM2_CONF": settings}
    for words in (
        ["softhsm2-util", "--init-token", "--free", "--label", "audit", "--pin", "1234", "--so-pin", "5678"],
        ["pkcs11-tool", "--module", MODULE, "--token-label", "audit", "--login", "--pin", "1234", "--keypairgen",
         "--key-type", "EC:prime256v1", "--label", "key", "--id", "01"],
    ):  # fmt: skip
        subprocess.run(words, env={**os.environ, **environment}, check=True, capture_output=True)
    signer = f"pkcs11:token=audit;object=key?module-path={MODULE}&pin-source={pin}"
    with run.daemon("--signer", signer, store=store, environment=environment) as service:
        fleet = Fleet(service)
        fleet.enrol(6)
        with fleet.load():
            delivered(fleet)
            # The folder alone would go on being read by who has it open.
            os.mkdir(away)
            for name in os.listdir(tokens):
                os.rename(os.path.join(tokens, name), os.path.join(away, name))
            eventually("202", lambda: all(trail.answers[202] for trail in fleet.trails))
            for name in os.listdir(away):
                os.rename(os.path.join(away, name), os.path.join(tokens, name))
            delivered(fleet)
        told = fleet.judge(run, "--signer", signer)
        run.say(f"a token that was taken away, and put back: {told}")


def database_goes(run):
    """The database is stopped while batches are written, crashes too, and comes back."""
    if not run.options.stack:
        return run.say("no --stack, so no server is stopped")
    store = run.store()
    # What is asked of this server would lose the last half second in a crash; the service asks for more.
    store.uri += ("&" if "?" in store.uri else "?") + "options=-csynchronous_commit%3Doff"
    with run.daemon(store=store) as service:
        fleet = Fleet(service)
        fleet.enrol(6)
        with fleet.load():
            for words in ([], ["--kill"]) * (5 if run.is_full else 1):
                delivered(fleet)
                outage(["stop", run.options.stack, *words], run.options.stack)
                delivered(fleet)
        run.say(f"a database that was stopped and crashed amid batches: {fleet.judge(run)}")


def answers_lost(run):
    """A connection to the database ends in place of a commit, or of its answer: the service has to find out what it wrote."""
    store = run.store()
    port = re.search(r":(\d+)/", store.uri)[1]
    proxy = Proxy(int(port))
    store.uri = store.uri.replace(f":{port}/", f":{proxy.port}/")
    with run.daemon(store=store) as service:
        fleet = Fleet(service)
        fleet.enrol(6)
        with fleet.load():
            proxy.odds = 0.1
            eventually("lost commits and answers", lambda: min(proxy.lost) >= 10)
            proxy.odds = 0
        told = fleet.judge(run)
        run.say(f"{proxy.lost[False]} commits that were lost, and {proxy.lost[True]} without an answer: {told}")


class Proxy:
    """Stands before a database, and now and then ends a connection in place of a commit, or of its answer."""

    def __init__(self, port):
        self.server, self.listener = port, socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.odds, self.lost = 0, [0, 0]  # commits, answers
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(("127.0.0.1", self.server))
            for way in ((client, server, False), (server, client, True)):
                threading.Thread(target=self._pass, args=way, daemon=True).start()

    def _pass(self, source, sink, is_answer):
        names = set()  # of statements that commit
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                names.update(re.findall(rb"(s\d+)\0COMMIT\0", data))
                commits = b"COMMIT\0" in data if is_answer else any(b"\0%s\0" % name in data for name in names)
                if commits and random.random() < self.odds:
                    self.lost[is_answer] += 1
                    break
                sink.sendall(data)
        for one in (source, sink):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
