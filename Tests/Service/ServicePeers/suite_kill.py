"""kill -9 in the middle of what changes an account: afterwards the old state or the new, whole.

What was answered is the new state: an answer before the kill is a promise."""

import http.client
import random
import secrets
import threading
import time

from accounts import Device, Enrolment, log_in, new_name, try_login

GROUP = "rfc5054-2048"  # the quickest: the transaction is the same


def run(run):
    rounds = 100 if run.is_full else 12
    with run.daemon() as service:
        for act in (registration, change, closing, revocation):
            seen = {"old": 0, "new": 0, "answered": 0}
            span = duration(service, act)
            for number in range(rounds):
                # From before the request arrives to beyond its answer: behind a restart everything takes longer.
                one_round(run, service, act, span * 2.5 * (number + random.random()) / rounds, seen)
            run.say(
                f"{act.__name__}: {rounds} kills: {seen['old']} old, {seen['new']} new"
                f" ({seen['answered']} of them answered), nothing between"
            )


def duration(service, act):
    """How long the request takes where nobody is killed."""
    client = service.client()
    spans = []
    for _ in range(5):
        ask, _ = act(client, service.name)
        start = time.monotonic()
        ask()
        spans.append(time.monotonic() - start)
    return sorted(spans)[2]


def one_round(run, service, act, delay, seen):
    client = service.client(timeout=10)
    ask, look = act(client, service.name)
    answered = []

    def asking():
        try:
            answered.append(ask().status)
        except (OSError, http.client.HTTPException):
            pass

    thread = threading.Thread(target=asking)
    start = time.monotonic()
    thread.start()
    while time.monotonic() - start < delay:
        pass  # sleeping is too coarse
    service.kill()
    thread.join()
    port = service.port
    service.start()
    client = service.client()
    state = look(client, f"http://127.0.0.1:{port}")
    assert state in ("old", "new"), state
    if answered:
        assert answered[0] in (200, 201, 204), answered
        assert state == "new", f"{act.__name__} was answered with {answered[0]}, and is gone"
        seen["answered"] += 1
    seen[state] += 1


def enrolled(client):
    """An account with an envelope, a device, and a login."""
    enrolment = Enrolment(new_name("kill"), b"first", GROUP)
    enrolment.register(client, envelope=b"envelope of the first").expect(201)
    login = log_in(client, enrolment)
    device = Device()
    login.enrol(device).expect(201)
    return enrolment, login, device


def registration(client, name):
    enrolment = Enrolment(new_name("kill"), b"first", GROUP)

    def look(client, _):
        answer, login = try_login(client, enrolment)
        if login:
            assert login.account()["devices"] == [] and answer.json["keyEnvelope"]
            assert enrolment.register(client).status == 409
            return "new"
        enrolment.register(client).expect(201)
        log_in(client, enrolment)
        return "old"

    return lambda: enrolment.register(client, envelope=b"envelope"), look


def change(client, name):
    first, login, device = enrolled(client)
    second = Enrolment(first.name, secrets.token_bytes(8), GROUP)
    bystander = log_in(client, first)

    def look(client, name):
        found = [try_login(client, one)[1] for one in (first, second)]
        assert (found[0] is None) != (found[1] is None), "both passwords, or neither"
        is_new = found[0] is None
        account = (found[1] or found[0]).account()
        assert account["policyEpoch"] == is_new, account
        assert len(account["devices"]) == 1, account
        assert (client.get("/v1/account", bystander.token).status == 401) == is_new
        assert device.contact(client, name).expect(200)["policyEpoch"] == is_new
        envelope = (found[1] or found[0]).answer["keyEnvelope"]
        assert (envelope == found_envelope(b"envelope of the second")) == is_new, envelope
        return "new" if is_new else "old"

    return lambda: login.change(second, b"envelope of the second", b"envelope of the first"), look


def found_envelope(content):
    import base64

    return base64.b64encode(content).decode()


def closing(client, name):
    enrolment, login, device = enrolled(client)

    def look(client, name):
        _, again = try_login(client, enrolment)
        contact = device.contact(client, name)
        if again:
            assert contact.status == 200 and len(again.account()["devices"]) == 1
            return "old"
        assert contact.status == 401, contact
        assert client.get("/v1/account", login.token).status == 401
        enrolment.register(client).expect(201)
        assert log_in(client, enrolment).account()["userId"] != login.answer["userId"]
        return "new"

    return login.close, look


def revocation(client, name):
    enrolment, login, device = enrolled(client)

    def look(client, name):
        contact = device.contact(client, name)
        listed = [one["deviceId"] for one in log_in(client, enrolment).account()["devices"]]
        if listed == [device.id]:
            assert contact.status == 200, contact
            return "old"
        assert listed == [] and (contact.status, contact.code) == (403, "DEVICE_REVOKED"), contact
        return "new"

    return lambda: login.revoke(device), look
