"""What an operator does: rotation of the service key, a database from a backup, certificates, a stop; and what is never told."""

import glob
import json
import os
import pathlib
import shutil
import sqlite3
import ssl
import subprocess
import threading
import time

import http_client
from accounts import Device, Enrolment, SRPPeer, begin, finish, log_in, new_name, try_login
from daemon import Daemon, Store, eventually

GROUP = "rfc5054-2048"
ENVELOPE = b"what a client sealed"


def run(run):
    rotation(run)
    separate_files(run)
    backup(run)
    lost_key(run)
    stop_answers(run)
    nothing_told(run)
    certificates(run)


def command(store, *words, code=0):
    """Runs a command on a store, and returns what it printed as JSON."""
    told = subprocess.run(
        [Daemon.binary, "--json", *words, "--store", store.uri, "--service-key", store.key], capture_output=True, text=True
    )
    assert told.returncode == code, (words, told.returncode, told.stderr)
    return json.loads(told.stdout)


def key_names(store):
    told = subprocess.run(
        [Daemon.binary, "--json", "service-key", "id", "--service-key", store.key], capture_output=True, text=True, check=True
    )
    return json.loads(told.stdout)["serviceKeys"]


def enrolled(client, count=1):
    found = []
    for _ in range(count):
        one = Enrolment(new_name("ops"), b"ops", GROUP)
        one.register(client, envelope=ENVELOPE).expect(201)
        found.append(one)
    return found


def rotation(run):
    """While the service goes on: every login that begins is proved, and the former key is gone afterwards."""
    with run.daemon() as service:
        client = service.client()
        accounts = enrolled(client, 40)
        login = log_in(client, accounts[0])
        peer = SRPPeer(accounts[1])
        start = begin(client, accounts[1].name, peer.public).expect(200)
        (former,) = key_names(service.store)
        over, count = threading.Event(), [0]

        def use():
            other = service.client("127.0.0.8")
            while not over.is_set():
                log_in(other, accounts[count[0] % 40])
                count[0] += 1

        thread = threading.Thread(target=use)
        thread.start()
        for _ in range(3):
            told = command(service.store, "service-key", "rotate")
            assert told["refused"] == 0 and told["sealed"] >= 40, told
        over.set()
        thread.join()
        (newest,) = key_names(service.store)
        assert newest == told["serviceKey"] != former
        # What was sealed before opens after: a handshake, a token's key, an envelope.
        proof = peer.prove(bytes.fromhex(start["salt"]), bytes.fromhex(start["B"]))
        assert finish(client, start["handshake"], proof).status == 200
        second = Enrolment(accounts[0].name, b"second", GROUP)
        login.change(second, b"new", ENVELOPE).expect(200)
        assert log_in(client, second).answer["keyEnvelope"]
        assert service.stop() == 0
    with Daemon(service.store) as again:
        log_in(again.client(), second)
        assert again.stop() == 0
    run.say(f"three rotations while {count[0]} logins went on: none was refused, the former keys are gone")


def separate_files(run):
    """Instances with files of their own: prepared, handed on, rotated."""
    one = run.store()
    other = Store.__new__(Store)
    other.kind, other.folder, other.uri = one.kind, one.folder, one.uri
    other.key = os.path.join(one.folder, "other", "service.key")
    with run.daemon(store=one) as here:
        os.mkdir(os.path.dirname(other.key), 0o700)
        hand_on(one, other)
        with run.daemon(store=other) as there:
            (account,) = enrolled(here.client())
            log_in(there.client(), account)
            command(one, "service-key", "rotate", "--prepare")
            assert len(key_names(one)) == 2
            log_in(there.client(), account)
            hand_on(one, other)
            command(one, "service-key", "rotate")
            assert len(key_names(one)) == 1
            for service in (here, there):
                log_in(service.client(), account)
    run.say("instances with files of their own rotate by --prepare")


def hand_on(one, other):
    """The service's key, and the one that signs the audit log."""
    for former, path in [(one.key, other.key), (audit_key(one), audit_key(other))]:
        shutil.copyfile(former, path + ".new")
        os.chmod(path + ".new", 0o600)
        os.replace(path + ".new", path)


def audit_key(store):
    return os.path.join(os.path.dirname(store.key), "audit.pem")


def backup(run):
    """A database from before a change of the password: no token lives, and each device hears of an epoch it did not know."""
    if run.kind != "sqlite":
        return  # the rows are the same; a dump and its return are docs/operations.md's
    with run.daemon() as service:
        client = service.client()
        (first,) = enrolled(client)
        login = log_in(client, first)
        device = Device()
        login.enrol(device).expect(201)
        saved = os.path.join(service.store.folder, "saved")
        path = service.store.uri.removeprefix("sqlite:")
        with sqlite3.connect(path) as source, sqlite3.connect(saved) as target:
            source.backup(target)
        second = Enrolment(first.name, b"second", GROUP)
        login.change(second, b"new", ENVELOPE).expect(200)
        token = log_in(client, second).token
        assert service.stop() == 0
    for name in os.listdir(os.path.dirname(path)):
        os.remove(os.path.join(os.path.dirname(path), name))
    shutil.copyfile(saved, path)
    os.chmod(path, 0o600)
    before = int(time.time() * 1000)
    told = command(service.store, "restored")
    assert (told["raised"], told["refused"]) == (1, 0), told
    with Daemon(service.store) as again:
        client = again.client()
        for old in (token, login.token):
            assert client.get("/v1/account", old).status == 401
        epoch = device.contact(client, again.name).expect(200)["policyEpoch"]
        assert before <= epoch <= int(time.time() * 1000)
        assert log_in(client, first).epoch == epoch and try_login(client, second)[1] is None
    run.say("after a backup: no token lives, the epoch is one that no device knew, the former password is back")


def lost_key(run):
    """Never a new key beside old accounts."""
    with run.daemon() as service:
        enrolled(service.client())
        assert service.stop() == 0
    store = service.store
    os.rename(store.key, store.key + ".away")
    assert refused(store) == 3
    assert not os.path.exists(store.key)
    other = run.store()
    subprocess.run([Daemon.binary, "service-key", "create", "--service-key", store.key], check=True, capture_output=True)
    assert refused(store) == 4
    os.replace(store.key + ".away", store.key)
    os.chmod(store.key, 0o640)
    assert refused(store) == 3
    run.say("without its service key, with another one, or with one that others can read it does not start")


def refused(store):
    """How a service ends that does not start."""
    told = subprocess.run(
        [Daemon.binary, "serve", "--listen", "127.0.0.1:0", "--store", store.uri, "--service-key", store.key],
        capture_output=True, text=True, timeout=30,
    )
    assert "thumbturnd: error: " in told.stderr and "hint: " in told.stderr, told.stderr
    return told.returncode


def stop_answers(run):
    """What began when the signal came is answered."""
    with run.daemon() as service:
        client = service.client()
        (account,) = enrolled(client)
        public = SRPPeer(account).public
        answers = []

        def ask(number):
            other = service.client(f"127.0.0.{20 + number}")
            try:
                while True:
                    answers.append(begin(other, account.name, public).status)
            except OSError:
                pass  # no further connection is taken

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        eventually("under load", lambda: len(answers) > 50)
        assert service.stop() == 0
        for thread in threads:
            thread.join()
        assert set(answers) == {200}, set(answers)
        assert '"answeredAll":true' in service.lines[-1], service.lines[-1]
    run.say(f"a stop amid {len(answers)} answers: none was cut off")


def nothing_told(run):
    """Neither a name nor a secret is in the log, in the metrics, or in clear in the database."""
    with run.daemon() as service:
        client = service.client()
        (account,) = enrolled(client)
        login = log_in(client, account)
        try_login(client, account, text="wrong")
        metrics = client.get("/metrics").body.decode()
        with open(service.store.key, "rb") as file:
            key = file.read()[-32:]
        assert service.stop() == 0
        told = "".join(service.lines) + metrics
        for secret in (
            account.name, login.token, account.verifier.hex(), login.key.hex(), key.hex(), account.salt.hex(), account.text,
        ):
            assert secret not in told, "told"
        if run.kind == "sqlite":
            # What connections that closed at once left in the log is stored too.
            files = glob.glob(service.store.uri.removeprefix("sqlite:") + "*")
            stored = b"".join(pathlib.Path(file).read_bytes() for file in files)
            for secret in (account.name.encode(), account.verifier, login.key, login.token.encode(), ENVELOPE, key):
                assert secret not in stored, "stored"
            assert account.salt in stored
    run.say("no name and no secret is told or stored in clear")


def certificates(run):
    """TLS alone, and a certificate that is exchanged while it serves."""
    folder = os.path.join(run.scratch, "tls." + run.kind[:6])
    os.mkdir(folder)
    chain, key = os.path.join(folder, "chain.pem"), os.path.join(folder, "key.pem")

    def certify():
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", chain],
            check=True, capture_output=True,
        )  # fmt: skip

    def shown(port):
        return ssl.get_server_certificate(("127.0.0.1", port))

    certify()
    with run.daemon("--tls-cert", chain, "--tls-key", key) as service:
        client = http_client.Client(service.port, tls=chain)
        (account,) = enrolled(client)
        log_in(client, account)
        former = shown(service.port)
        certify()
        service.process.send_signal(1)
        eventually("another certificate", lambda: shown(service.port) != former)
        log_in(http_client.Client(service.port, tls=chain), account)
        log_in(client, account)  # on the connection that was there before
        newer = shown(service.port)
        with open(chain, "w") as file:
            file.write("no certificate")
        service.process.send_signal(1)
        eventually("a line of it", lambda: any("the former one stays" in line for line in service.lines))
        assert shown(service.port) == newer
        plain = service.client()
        try:
            assert plain.get("/healthz").status >= 400
        except OSError:
            pass
        assert service.stop() == 0
    run.say("TLS: a certificate is exchanged while it serves, and one that is none leaves the former")
