"""Accounts whose cryptography is PyPI's: `srp`, `srptools`, `argon2-cffi`, `cryptography`. Here is the glue alone."""

import base64
import functools
import hashlib
import hmac
import json
import secrets

import argon2.low_level
import srp
import srptools
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from groups import DEFAULT, GROUPS, width

srp.rfc5054_enable()  # once, before any object is made

# The least that the service takes: what is tested here is not how slow a guess is.
FLOOR = {"name": "argon2id", "memoryKiB": 19456, "passes": 2, "lanes": 1}


def hkdf(key, salt, info):
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=salt, info=info.encode()).derive(key)


def jcs(value):
    """RFC 8785 of what consists of ASCII and integers."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def draw_salt():
    """16 bytes of which the first is not zero."""
    return bytes([secrets.randbelow(255) + 1]) + secrets.token_bytes(15)


@functools.lru_cache(maxsize=None)
def slow_text(password, salt, memory=FLOOR["memoryKiB"], passes=FLOOR["passes"]):
    """The text that enters x (design section 7)."""
    slow = argon2.low_level.hash_secret_raw(
        password, salt, time_cost=passes, memory_cost=memory, parallelism=1, hash_len=32,
        type=argon2.low_level.Type.ID,
    )
    return hkdf(slow, salt, "thumbturn.v1.srp-auth").hex()


class Enrolment:
    """A password as the service is told of it."""

    def __init__(self, name, password, group=DEFAULT):
        self.name, self.password, self.group = name, password, group
        self.salt = draw_salt()
        self.text = slow_text(password, self.salt)
        context = srptools_context(name, self.text, group)
        verifier = context.get_common_password_verifier(
            context.get_common_password_hash(int.from_bytes(self.salt, "big"))
        )
        self.verifier = verifier.to_bytes(width(group), "big")

    @property
    def members(self):
        return {"group": self.group, "salt": self.salt.hex(), "verifier": self.verifier.hex(), "kdf": FLOOR}

    def register(self, client, envelope=None):
        body = {"account": self.name, **self.members}
        if envelope:
            body["keyEnvelope"] = base64.b64encode(envelope).decode()
        return client.post("/v1/accounts", body)


class SRPEnrolment(Enrolment):
    """The same, with salt and verifier from `srp`, which draws its own salt: so the text has another one's cost."""

    def __init__(self, name, password, group=DEFAULT):
        self.name, self.password, self.group = name, password, group
        self.text = slow_text(password, draw_salt())
        self.salt = b""
        while len(self.salt) != 16:  # it drops a leading zero byte
            self.salt, verifier = srp.create_salted_verification_key(name, self.text, salt_len=16, **srp_settings(group))
        self.verifier = verifier.rjust(width(group), b"\0")


def srp_settings(group):
    """How `srp` is told of a group."""
    _, prime, generator = GROUPS[group]
    return dict(
        hash_alg=srp.SHA256, ng_type=srp.NG_CUSTOM, n_hex=prime.encode(), g_hex=generator.encode()
    )


def srptools_context(name, text, group):
    """How `srptools` is told of a group."""
    _, prime, generator = GROUPS[group]
    return srptools.SRPContext(
        name, text, prime=prime, generator=generator, hash_func=srptools.constants.HASH_SHA_256, bits_salt=128
    )


class SRPPeer:
    """A login by `srp`, in the encoding `minimal`."""

    def __init__(self, enrolment, text=None):
        self.user = srp.User(enrolment.name, text or enrolment.text, **srp_settings(enrolment.group))
        _, public = self.user.start_authentication()
        self.public = public.rjust(width(enrolment.group), b"\0")

    def prove(self, salt, public):
        return self.user.process_challenge(salt, public)

    def confirm(self, proof):
        self.user.verify_session(proof)
        return self.user.get_session_key() if self.user.authenticated() else None


class SRPToolsPeer:
    """A login by `srptools`, in the encoding `minimalUnpaddedG`."""

    def __init__(self, enrolment, text=None):
        context = srptools_context(enrolment.name, text or enrolment.text, enrolment.group)
        self.session = srptools.SRPClientSession(context)
        self.public = self.session.public_bin.rjust(width(enrolment.group), b"\0")

    def prove(self, salt, public):
        self.session.process(public, salt)
        return self.session.key_proof_bin

    def confirm(self, proof):
        return self.session.key_bin if self.session.verify_proof(proof) else None


class Login:
    """A login that both sides proved."""

    def __init__(self, client, answer, key):
        self.client, self.key, self.answer = client, key, answer
        self.token, self.epoch = answer["token"], answer["policyEpoch"]
        self.service = answer["origin"]

    def proof(self, body, purpose="password-change"):
        """The proof that a change carries, under the session's key."""
        return hmac.new(hkdf(self.key, None, f"thumbturn.v1.{purpose}"), jcs(body), hashlib.sha256).hexdigest()

    def change(self, enrolment, envelope=None, previous=None):
        """Changes the password."""
        body = {**enrolment.members, "policyEpoch": self.epoch}
        if envelope:
            body["keyEnvelope"] = base64.b64encode(envelope).decode()
        if previous:
            body["previous"] = hashlib.sha256(previous).hexdigest()
        body["proof"] = self.proof(body)
        return self.call("PUT", "/v1/account/password", body)

    def close(self):
        """Closes the account."""
        return self.call("DELETE", "/v1/account", {"proof": self.proof({})})

    def enrol(self, device):
        answer = self.call("POST", "/v1/devices", device.members)
        if answer.status == 201:
            device.contact_key = hkdf(self.key, None, "thumbturn.v1.contact")
        return answer

    def revoke(self, device):
        return self.call("DELETE", f"/v1/devices/{device.id}")

    def account(self):
        return self.call("GET", "/v1/account").expect(200)

    def call(self, method, path, body=None):
        """A call within the login, whose answer the service has to prove."""
        answer = self.client.call(method, path, body, self.token)
        if answer.status < 300:
            check_answer(self.key, method, path, body, answer)
        return answer


def check_answer(key, method, path, body, answer):
    """Holds an answer's proof against what the login's key makes of request and answer."""
    sent = json.dumps(body).encode() if body is not None else b""
    lines = [
        "thumbturn.answer.v1", f"{method} {path}", hashlib.sha256(sent).hexdigest(), str(answer.status),
        hashlib.sha256(answer.body).hexdigest(),
    ]
    wanted = hmac.new(hkdf(key, None, "thumbturn.v1.answer"), "\n".join(lines).encode(), hashlib.sha256).hexdigest()
    assert answer.headers.get("thumbturn-proof") == wanted, f"no proof of the answer to {method} {path}"


class Device:
    """A device with a key of its own."""

    def __init__(self):
        self.id = secrets.token_hex(16)
        self.key = ec.generate_private_key(ec.SECP256R1())

    @property
    def members(self):
        spki = self.key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        return {
            "deviceId": self.id, "publicKey": base64.b64encode(spki).decode(), "algorithm": "ecdsa-p256-sha256"
        }

    def contact(self, client, name, sent_at="2026-01-01T00:00:00.000Z"):
        """Asks for the account's epoch; what answers has to prove it by the last login that listed the device."""
        body = {"nonce": base64.b64encode(secrets.token_bytes(16)).decode(), "sentAt": sent_at}
        signed = b"thumbturn.contact.v1\n" + jcs({**body, "deviceId": self.id, "origin": name})
        body["signature"] = base64.b64encode(self.key.sign(signed, ec.ECDSA(hashes.SHA256()))).decode()
        answer = client.post(f"/v1/devices/{self.id}/contact", body)
        if answer.status in (200, 403):
            head = f"thumbturn.contact.answer.v1\n{body['nonce']}\n{answer.status}\n".encode()
            wanted = hmac.new(self.contact_key, head + answer.body, hashlib.sha256).digest()
            told = answer.headers.get("thumbturn-contact")
            assert told == base64.b64encode(wanted).decode(), f"no proof of the answer to a contact: {answer}"
        return answer


def begin(client, name, public):
    """The first step of a login."""
    return client.post("/v1/login", {"account": name, "A": public.hex()})


def finish(client, handshake, proof):
    """The second."""
    return client.post(f"/v1/login/{handshake}", {"M1": proof.hex()})


def try_login(client, enrolment, peer=SRPPeer, text=None):
    """Logs in, as far as it goes.

    Returns the answer to the proof, and the `Login` where the service's own proof was right too."""
    one = peer(enrolment, text)
    start = begin(client, enrolment.name, one.public)
    if start.status != 200:
        return start, None
    start = start.json
    assert start["group"] == enrolment.group, start["group"]
    proof = one.prove(bytes.fromhex(start["salt"]), bytes.fromhex(start["B"]))
    answer = finish(client, start["handshake"], proof)
    if answer.status != 200:
        return answer, None
    key = one.confirm(bytes.fromhex(answer.json["M2"]))
    if key:
        check_answer(key, "POST", f"/v1/login/{start['handshake']}", {"M1": proof.hex()}, answer)
    return answer, Login(client, answer.json, key) if key else None


def log_in(client, enrolment, peer=SRPPeer):
    """Logs in, or fails."""
    answer, login = try_login(client, enrolment, peer)
    assert login, answer
    return login


def new_name(prefix="peer"):
    return f"{prefix}.{secrets.token_hex(6)}"
