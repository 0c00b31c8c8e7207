"""Logins by PyPI's `srp` and `srptools`: all that are right, none that are wrong, in each group."""

import concurrent.futures
import secrets

from accounts import (
    Enrolment, SRPEnrolment, SRPPeer, SRPToolsPeer, finish, begin, log_in, new_name, try_login,
)
from groups import GROUPS

ACCOUNTS = 10
REFUSALS = 50  # in each group; five of an account cost no wait


def run(run):
    logins = 500 if run.kind == "sqlite" or run.is_full else 100
    with run.daemon() as service:
        for group in GROUPS:
            judge(run, service, group, SRPPeer, "srp", logins)
        enrol_again(run, service)
        one_handshake_one_proof(run, service)
    if run.kind != "sqlite" and not run.is_full:
        return
    with run.daemon("--proof-encoding", "minimal-unpadded-g") as service:
        for group in GROUPS:
            judge(run, service, group, SRPToolsPeer, "srptools", 500 if run.is_full else 40)


def judge(run, service, group, peer, package, logins):
    """Half of the accounts are enrolled by the one package, half by the other."""
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        jobs = [
            pool.submit(judge_account, service.port, group, peer, number % 2 == 0, logins // ACCOUNTS)
            for number in range(ACCOUNTS)
        ]
        good, refused = (sum(column) for column in zip(*(job.result() for job in jobs)))
    assert good == logins // ACCOUNTS * ACCOUNTS and refused == REFUSALS, (good, refused)
    run.say(f"{package}, {group}: {good} logins, {refused} refusals, no miss")


def judge_account(port, group, peer, by_srp, logins):
    from http_client import Client

    client = Client(port)
    enrol = SRPEnrolment if by_srp else Enrolment
    enrolment = enrol(new_name(), secrets.token_bytes(12), group)
    enrolment.register(client).expect(201)
    refused = 0
    for attempt in range(REFUSALS // ACCOUNTS):
        answer, login = try_login(client, enrolment, peer, text=enrolment.text[::-1] + str(attempt))
        assert answer.status == 401 and answer.code == "LOGIN" and login is None, answer
        assert "M2" not in answer.json, "a refusal that proves something"
        refused += 1
    for _ in range(logins):
        login = log_in(client, enrolment, peer)
    # The service accepts what is proved under its K only if that is the package's: so the keys are one.
    login.change(enrolment).expect(200)
    return logins, refused


def enrol_again(run, service):
    """A password of PyPI's, changed to another, and back: each opens while it counts."""
    client = service.client()
    first = Enrolment(new_name(), b"first")
    second = Enrolment(first.name, b"second")
    first.register(client).expect(201)
    assert first.register(client).status == 409
    assert log_in(client, first).change(second).expect(200)["policyEpoch"] == 1
    answer, login = try_login(client, first)
    assert answer.status == 401 and login is None
    assert log_in(client, second).epoch == 1
    run.say("a changed password opens, the former one does not")


def one_handshake_one_proof(run, service):
    """A proof that was right is worth nothing a second time, nor one behind a wrong one."""
    client = service.client()
    enrolment = Enrolment(new_name(), b"once")
    enrolment.register(client).expect(201)
    for first in (True, False):
        peer = SRPPeer(enrolment)
        start = begin(client, enrolment.name, peer.public).expect(200)
        proof = peer.prove(bytes.fromhex(start["salt"]), bytes.fromhex(start["B"]))
        answer = finish(client, start["handshake"], proof if first else bytes(32))
        assert answer.status == (200 if first else 401), answer
        again = finish(client, start["handshake"], proof)
        assert (again.status, again.code) == (401, "HANDSHAKE"), again
    run.say("a handshake takes one proof, right or wrong")
