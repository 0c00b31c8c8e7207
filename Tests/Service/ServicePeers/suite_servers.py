"""Our SRP client against servers that nobody here wrote, and against false ones."""

import secrets
import subprocess

import srp
import srptools

from accounts import Enrolment, SRPEnrolment, srp_settings, srptools_context
from groups import GROUPS, prime, width


class Child:
    """Our client, which speaks in lines: see `Tests/Library/SRPChild`."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def begin(self, enrolment, encoding, text=None):
        text = text or enrolment.text
        return bytes.fromhex(
            self.ask("begin", enrolment.group, encoding, enrolment.name.encode().hex(), text.encode().hex())
        )

    def answer(self, salt, public):
        """M1, or the words of a refusal."""
        return self.ask("answer", salt.hex(), public.hex())

    def confirm(self, proof):
        """The key, or the words of a refusal."""
        return self.ask("confirm", proof.hex())

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(10) == 0


def run(run):
    if not run.options.child:
        raise AssertionError("--child names the program with our SRP client")
    child = Child(run.options.child)
    for group in GROUPS:
        logins = 500 if run.is_full else 200
        enrolments = [SRPEnrolment("alice", secrets.token_bytes(8), group) for _ in range(5)]
        good = sum(serve_srp(child, enrolments[number % 5]) for number in range(logins))
        assert good == logins, good
        tools = 500 if run.is_full else 40
        enrolments = [Enrolment("alice", secrets.token_bytes(8), group) for _ in range(5)]
        found = sum(serve_srptools(child, enrolments[number % 5]) for number in range(tools))
        assert found == tools, found
        refuse_false_servers(child, enrolments[0])
        run.say(f"{group}: {good} logins at srp, {found} at srptools, false servers refused")
    child.close()


def serve_srp(child, enrolment):
    """One login at `srp`'s server; true where both reached one key."""
    public = child.begin(enrolment, "minimal")
    server = srp.Verifier(enrolment.name, enrolment.salt, enrolment.verifier, public, **srp_settings(enrolment.group))
    salt, challenge = server.get_challenge()
    proof = child.answer(salt, challenge.rjust(width(enrolment.group), b"\0"))
    answer = server.verify_session(bytes.fromhex(proof))
    return answer is not None and bytes.fromhex(child.confirm(answer)) == server.get_session_key()


def serve_srptools(child, enrolment):
    public = child.begin(enrolment, "minimal-unpadded-g")
    context = srptools_context(enrolment.name, enrolment.text, enrolment.group)
    server = srptools.SRPServerSession(context, password_verifier=enrolment.verifier)
    proof = bytes.fromhex(child.answer(enrolment.salt, server.public_bin.rjust(width(enrolment.group), b"\0")))
    server.process(public, enrolment.salt)
    return server.verify_proof(proof) and bytes.fromhex(child.confirm(server.key_proof_hash_bin)) == server.key_bin


def refuse_false_servers(child, enrolment):
    """A wrong password, a server that only plays one, and public values that would give the secret away."""
    public = child.begin(enrolment, "minimal", text="another password")
    server = srp.Verifier(enrolment.name, enrolment.salt, enrolment.verifier, public, **srp_settings(enrolment.group))
    salt, challenge = server.get_challenge()
    proof = bytes.fromhex(child.answer(salt, challenge.rjust(width(enrolment.group), b"\0")))
    assert server.verify_session(proof) is None
    assert child.confirm(secrets.token_bytes(32)) == "refused proofRefused"

    size, N = width(enrolment.group), prime(enrolment.group)
    for value in (0, 1, N - 1, N, N + 1):
        child.begin(enrolment, "minimal")
        assert child.answer(enrolment.salt, value.to_bytes(size, "big")) == "refused outOfRange", value
    for value in (b"", b"\x02", bytes(size - 1), bytes(size + 1)):
        child.begin(enrolment, "minimal")
        assert child.answer(enrolment.salt, value) == "refused wrongLength", value
    # Who holds the verifier could make the client's base zero.
    context = srptools_context(enrolment.name, enrolment.text, enrolment.group)
    masked = context._mult * int.from_bytes(enrolment.verifier, "big") % N
    child.begin(enrolment, "minimal")
    assert child.answer(enrolment.salt, masked.to_bytes(size, "big")) == "refused outOfRange"
