"""A database that goes and comes back, and a disk that is full: typed answers, nothing lost, and no restart."""

import os
import subprocess
import threading
import time

from accounts import Enrolment, log_in, new_name, try_login
from daemon import Store, eventually

GROUP = "rfc5054-2048"
SCRIPT = os.path.join(os.path.dirname(__file__), "..", "..", "..", "Scripts", "service-stack.sh")


def run(run):
    if run.kind == "sqlite":
        full_disk(run)
    else:
        database_goes(run)


def enrolled(client):
    enrolment = Enrolment(new_name("fault"), b"fault", GROUP)
    enrolment.register(client).expect(201)
    return enrolment


def full_disk(run):
    """On a disk of 16 MiB that something else fills up."""
    disk = os.path.join(run.scratch, "disk")
    os.mkdir(disk, 0o700)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m,mode=0700", "peers", disk], capture_output=True)
    if mounted.returncode != 0:
        return run.say("no disk can be mounted here, so none is filled")
    try:
        store = Store("sqlite", disk)
        with run.daemon(store=store) as service:
            client = service.client()
            first = enrolled(client)
            filler = fill(disk)
            seen = set()
            for _ in range(200):  # what the log has room for already is still taken
                answer = Enrolment(new_name("fault"), b"fault", GROUP).register(client)
                seen.add((answer.status, answer.code))
                if answer.status == 503:
                    break
                filler = fill(disk, filler)
            assert (503, "STORE_FULL") in seen and seen <= {(201, None), (503, "STORE_FULL")}, seen
            assert "retry-after" in answer.headers
            assert client.get("/healthz").status == 200
            os.remove(filler)
            eventually("room again", lambda: Enrolment(new_name("fault"), b"fault", GROUP).register(client).status == 201)
            log_in(client, first)
            assert service.stop() == 0
        run.say("a full disk: 503 STORE_FULL; with room again it goes on by itself")
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


def fill(disk, filler=None):
    filler = filler or os.path.join(disk, "filler")
    with open(filler, "ab", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return filler


def database_goes(run):
    stack = run.options.stack
    if not stack:
        return run.say("no --stack, so no server is stopped")
    with run.daemon() as service:
        client = service.client()
        kept = enrolled(client)
        for words in (["stop", stack], ["stop", stack, "--kill"]):
            seen, registered = ask_meanwhile(service, lambda: outage(words, stack))
            assert set(seen) <= {(201, None), (503, "STORE"), (503, "UNCERTAIN"), (503, "BUSY")}, seen
            assert seen.get((503, "STORE")), seen
            eventually("ready again", lambda: client.get("/readyz").status == 200)
            # Whoever was told 201 has an account.
            assert try_login(client, kept)[1], "an account is lost"
            for body in registered:
                assert client.post("/v1/accounts", body).status == 409, "an account is lost"
            run.say(f"the database {'crashed' if '--kill' in words else 'was stopped'} and came back: {describe(seen)}")
        assert service.stop() == 0


def outage(words, stack):
    for command in (words, ["start", stack]):
        subprocess.run([SCRIPT, *command], check=True)
    time.sleep(0.5)


def ask_meanwhile(service, happening):
    """Registers accounts one after the other until `happening` is over, and counts the answers."""
    over = threading.Event()
    members = Enrolment("model", b"model", GROUP).members
    seen, registered = {}, []

    def ask():
        client = service.client(source="127.0.0.7")
        while not over.is_set():
            body = {**members, "account": new_name("fault")}
            answer = client.post("/v1/accounts", body)
            seen[answer.status, answer.code] = seen.get((answer.status, answer.code), 0) + 1
            if answer.status == 201:
                registered.append(body)
            time.sleep(0.01)

    thread = threading.Thread(target=ask)
    thread.start()
    time.sleep(0.5)
    try:
        happening()
    finally:
        over.set()
        thread.join()
    return seen, registered


def describe(seen):
    return ", ".join(f"{count} × {status} {code or ''}".strip() for (status, code), count in sorted(seen.items(), key=str))
