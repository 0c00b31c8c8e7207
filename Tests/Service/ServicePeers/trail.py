"""Devices that deliver trails to the ledger, and what must hold of its log afterwards."""

import base64
import collections
import contextlib
import hashlib
import http.client
import json
import os
import random
import secrets
import subprocess
import sys
import threading
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from accounts import Device, Enrolment, jcs, log_in, new_name
from daemon import Daemon, eventually

EXAMPLE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..", "Examples", "verify_audit.py"))
sys.path.append(os.path.dirname(EXAMPLE))
from verify_audit import digest, grown, holds, note, root_of  # noqa: E402

MOST_DUE = 12  # records without a receipt, beyond which a device writes no more


class Trail:
    """One chain of a device: what has no receipt is sent again, with another nonce."""

    def __init__(self, device, user, origin):
        self.device, self.user, self.origin = device, user, origin
        self.epoch = secrets.token_hex(16)
        key = hashlib.sha256(base64.b64decode(device.members["publicKey"])).hexdigest()
        genesis = jcs({"deviceId": device.id, "devicePublicKeySha256": key, "epoch": self.epoch})
        # A record's hash is behind that of the one before it.
        self.lines, self.hashes = [], [hashlib.sha256(b"thumbturn.audit.genesis.v1\n" + genesis).hexdigest()]
        self.delivered = 0  # records that have a receipt
        self.receipts = []  # first, end, receipt
        self.answers = collections.Counter()
        self.refusals = {202, 503}  # what may be answered in place of a receipt

    def write(self, count):
        for _ in range(count):
            now, drawn = f"{int(time.time() * 1000):012x}", secrets.token_hex(9)
            record = {
                "deviceId": self.device.id, "epoch": self.epoch, "eventType": "BIOMETRIC_AUTH_SUCCESS",
                "eventId": f"{now[:8]}-{now[8:]}-7{drawn[:3]}-8{drawn[3:6]}-{drawn[6:]}",
                "integrity": {"prevHash": self.hashes[-1]}, "payload": {"attemptCount": 0}, "seq": len(self.lines),
                "storyId": "PD-107", "tsClient": "2026-01-01T00:00:00.000Z", "userId": self.user, "v": 1,
            }  # fmt: skip
            self.hashes.append(hashlib.sha256(b"thumbturn.audit.event.v1\n" + jcs(record)).hexdigest())
            record["integrity"]["hash"] = self.hashes[-1]
            self.lines.append(jcs(record) + b"\n")

    def send(self, client, first, end):
        """Sends records, and keeps the receipt; returns the status, or None where no answer came."""
        body = b"".join(self.lines[first:end])
        upload = {
            "deviceId": self.device.id, "epoch": self.epoch, "firstSeq": first, "headHash": self.hashes[end],
            "lastSeq": end - 1, "nonce": base64.b64encode(secrets.token_bytes(16)).decode(),
            "sentAt": "2026-01-01T00:00:00.000Z",
        }  # fmt: skip
        signed = b"thumbturn.audit.upload.v1\n" + jcs({**upload, "origin": self.origin})
        headers = {
            "Content-Type": "application/x-ndjson", "Idempotency-Key": hashlib.sha256(body).hexdigest(),
            "Thumbturn-Upload": base64.b64encode(jcs(upload)).decode(),
            "Thumbturn-Signature": base64.b64encode(self.device.key.sign(signed, ec.ECDSA(hashes.SHA256()))).decode(),
        }  # fmt: skip
        try:
            answer = client.call("POST", f"/v1/audit/{self.device.id}/events", body, headers=headers, again=False)
        except (OSError, http.client.HTTPException):
            client.close()
            self.answers["none"] += 1
            return None
        self.answers[answer.status] += 1
        if answer.status == 200:
            self.receipts.append((first, end, answer.json))
            self.delivered = max(self.delivered, end)
        else:
            # No event that has a receipt is asked for again (GAP), and none is taken for another (FORK).
            assert answer.status in self.refusals, answer
        return answer.status

    def step(self, client):
        """Writes on, and sends what is due: now and then behind what is known, or that alone."""
        if len(self.lines) - self.delivered < MOST_DUE:
            self.write(random.randint(1, 4))
        first = self.delivered
        if first and random.random() < 0.2:
            first = random.randrange(max(0, first - 20), first)
        return self.send(client, first, random.randint(first + 1, min(len(self.lines), first + 256)))

    def settle(self, client):
        """Sends until each record has a receipt."""
        if self.delivered < len(self.lines):
            eventually("a receipt", lambda: self.send(client, self.delivered, len(self.lines)) == 200)


class Fleet:
    """Devices at one service, and all that they ever wrote."""

    def __init__(self, service):
        self.service, self.trails = service, []

    def enrol(self, count):
        """New devices of a new account, each with a chain."""
        client = self.service.client()
        enrolment = Enrolment(new_name("ledger"), b"ledger", "rfc5054-2048")
        enrolment.register(client).expect(201)
        login = log_in(client, enrolment)
        added = []
        for _ in range(count):
            device = Device()
            login.enrol(device).expect(201)
            added.append(Trail(device, login.answer["userId"], self.service.name))
        self.trails += added
        return added

    @contextlib.contextmanager
    def load(self, trails=None):
        """Devices deliver meanwhile, each on a thread of its own, whatever becomes of the service."""
        over, faults = threading.Event(), []

        def deliver(trail):
            client = self.service.client()
            try:
                while not over.is_set():
                    if trail.step(client) != 200:
                        over.wait(0.01)
            except BaseException as error:
                faults.append(error)

        threads = [threading.Thread(target=deliver, args=(trail,)) for trail in trails or self.trails]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            over.set()
            for thread in threads:
                thread.join()
            if faults:
                raise faults[0]

    @property
    def receipts(self):
        return sum(len(trail.receipts) for trail in self.trails)

    def settle(self):
        client = self.service.client()
        for trail in self.trails:
            trail.settle(client)

    def judge(self, run, *signer):
        """Stops the service; then each event is in the log once, and each receipt is proved, signed and stored."""
        self.settle()
        size = len(self.trails) + sum(len(trail.lines) for trail in self.trails)
        client = self.service.client()
        # What the service itself enters comes within a second.
        eventually("a head of all", lambda: int(client.get("/v1/audit/checkpoint").body.split(b"\n")[1]) >= size)
        assert self.service.stop() == 0
        store = self.service.store
        told = self.ask("key", "public", "--service-key", store.key, *signer)
        path = os.path.join(store.folder, "export.jsonl")
        for name, content in ((path, self.ask("export", "--store", store.uri)), (path + ".pem", told)):
            with open(name, "wb") as file:
                file.write(content)
        check_export(run, path)
        assert json.loads(self.ask("check", "--json", "--store", store.uri))["logs"][0]["faults"] == []
        log = Log(path, serialization.load_pem_public_key(told))
        assert log.size == size, "more leaves than were written"
        enrolled = [entry["deviceId"] for entry in log.entries if entry["entryType"] == "DEVICE_ENROLLED"]
        assert sorted(enrolled) == sorted(trail.device.id for trail in self.trails), "an entry is lost, or there twice"
        assert len(enrolled) == len(log.entries), log.entries
        for trail in self.trails:
            log.check(trail)
        answers = sum((trail.answers for trail in self.trails), collections.Counter())
        return f"{log.size} leaves, {self.receipts} receipts ({', '.join(f'{n} × {a}' for a, n in answers.items())})"

    def ask(self, *words):
        """What a command of the service prints."""
        told = subprocess.run([Daemon.binary, *words], capture_output=True, env=self.service.environment)
        assert told.returncode == 0, (words, told.returncode, told.stdout[-500:], told.stderr)
        return told.stdout


class Log:
    """An export, leaf by leaf."""

    def __init__(self, path, key):
        self.key = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        self.leaves, self.roots, self.notes, self.entries = [], {}, set(), []
        self.chains = collections.defaultdict(list)  # hash, index and time of each record
        self.checkpoints = {}
        peaks = ()
        with open(path, "rb") as file:
            for value in map(json.loads, file):
                if "checkpoint" in value:
                    self.notes.add(value["checkpoint"])
                if "index" not in value:
                    continue
                leaf = value.get("entry") or value["record"]
                if "entry" in value:
                    self.entries.append(leaf)
                else:
                    for name in ("signature", "signatureKeyId"):
                        del leaf["integrity"][name]
                    place = leaf["integrity"]["hash"], value["index"], leaf["tsServer"]
                    self.chains[leaf["deviceId"], leaf["epoch"]].append(place)
                peaks = grown(peaks, self.size, jcs(leaf))
                self.leaves.append(digest(b"\0", jcs(leaf)))
                self.roots[self.size] = root_of(peaks)

    @property
    def size(self):
        return len(self.leaves)

    def check(self, trail):
        """The trail's chain is there, each record once; its receipts say where, under heads of this one tree."""
        chain = self.chains[trail.device.id, trail.epoch]
        assert [place[0] for place in chain] == trail.hashes[1:], "a record is lost, or there twice"
        for first, end, receipt in trail.receipts:
            size, root = self.head(receipt["checkpoint"])
            assert self.proved(receipt["lastIndex"], size, receipt["proof"]) == root, "a proof of another tree"
            told = {name: value for name, value in receipt.items() if name not in ("checkpoint", "proof")}
            assert told == {
                "v": 1, "origin": trail.origin, "deviceId": trail.device.id, "epoch": trail.epoch, "firstSeq": first,
                "lastSeq": end - 1, "headHash": trail.hashes[end], "firstIndex": chain[first][1],
                "lastIndex": chain[end - 1][1], "tsServer": chain[end - 1][2],
            }, told  # fmt: skip

    def head(self, text):
        """Size and root of a receipt's head: signed, stored, and of the tree that is there in the end."""
        if text not in self.checkpoints:
            message, _, size, root, lines = note(text)
            assert text in self.notes, "a receipt whose signature is not stored"
            assert holds(self.key, lines[hashlib.sha256(self.key).hexdigest()[:8]], message), "signed by another key"
            assert self.roots[size] == root, "a head that is not consistent with the last"
            self.checkpoints[text] = size, root
        return self.checkpoints[text]

    def proved(self, index, size, proof):
        """The root that a proof leads to (RFC 9162 §2.1.3.2)."""
        found, last = self.leaves[index], size - 1
        for node in map(bytes.fromhex, proof):
            assert last, "a proof that is too long"
            if index & 1 or index == last:
                found = digest(b"\1", node, found)
                while index and not index & 1:
                    index, last = index >> 1, last >> 1
            else:
                found = digest(b"\1", found, node)
            index, last = index >> 1, last >> 1
        assert not last, "a proof that is too short"
        return found



def check_export(run, path):
    """Both verifiers find an export whole."""
    words = [path, "--key", path + ".pem"]
    for verifier in ([run.options.command, "audit", "verify"], [sys.executable, EXAMPLE]):
        told = subprocess.run([*verifier, *words], capture_output=True, text=True)
        assert told.returncode == 0, (verifier, told)
