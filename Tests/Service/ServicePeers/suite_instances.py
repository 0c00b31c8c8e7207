"""Two services over one database are one service; and changes that race have one winner."""

import threading

from accounts import Device, Enrolment, SRPPeer, begin, finish, log_in, new_name, try_login

GROUP = "rfc5054-2048"


def run(run):
    store = run.store()
    with run.daemon(store=store) as one, run.daemon(store=store) as other:
        both_serve(run, one, other)
        changes_race(run, one, other, 60 if run.is_full else 15)
        proof_races_change(run, one, other, 60 if run.is_full else 15)
        registrations_race(run, one, other)
        assert one.stop() == 0 and other.stop() == 0


def both_serve(run, one, other):
    """Each step of an account's life at another instance than the one before."""
    here, there = one.client(), other.client()
    enrolment = Enrolment(new_name(), b"both", GROUP)
    enrolment.register(here).expect(201)
    peer = SRPPeer(enrolment)
    start = begin(there, enrolment.name, peer.public).expect(200)
    proof = peer.prove(bytes.fromhex(start["salt"]), bytes.fromhex(start["B"]))
    answer = finish(here, start["handshake"], proof).expect(200)
    assert peer.confirm(bytes.fromhex(answer["M2"]))
    assert there.get("/v1/account", answer["token"]).status == 200
    assert finish(there, start["handshake"], proof).status == 401
    # Names that nobody has look alike at both: the key behind them is one.
    public = SRPPeer(Enrolment("nobody", b"")).public
    salts = {begin(client, "nobody.at.all", public).expect(200)["salt"] for client in (here, there)}
    assert len(salts) == 1, salts
    login = log_in(here, enrolment)
    login.client = there
    device = Device()
    login.enrol(device).expect(201)
    # Signed over the service's name, at whichever it dials; the address of one is no name.
    assert login.service == one.name == other.name
    assert device.contact(here, one.name).status == 200
    assert device.contact(there, one.name).status == 200
    assert other.origin == one.name or device.contact(there, other.origin).status == 401
    login.client = here
    assert login.revoke(device).status == 204
    assert device.contact(there, one.name).status == 403
    # Failures count at both.
    waited = 0
    for attempt in range(7):
        refused, _ = try_login((here, there)[attempt % 2], enrolment, text="wrong")
        waited += refused.status == 429
    assert waited == 1, waited
    run.say("an account is served by two instances as by one, its failures too")


def together(*calls):
    """Runs each in a thread of its own, from the same moment on."""
    gate = threading.Barrier(len(calls))
    found = [None] * len(calls)

    def go(number, call):
        gate.wait()
        found[number] = call()

    threads = [threading.Thread(target=go, args=pair) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def changes_race(run, one, other, rounds):
    won = [0, 0]
    for _ in range(rounds):
        clients = one.client(), other.client()
        first = Enrolment(new_name(), b"first", GROUP)
        first.register(clients[0]).expect(201)
        logins = [log_in(client, first) for client in clients]
        seconds = [Enrolment(first.name, word, GROUP) for word in (b"here", b"there")]
        answers = together(*(lambda l=l, s=s: l.change(s) for l, s in zip(logins, seconds)))
        statuses = [answer.status for answer in answers]
        assert sorted(statuses) == [200, 401], answers
        winner = statuses.index(200)
        won[winner] += 1
        assert [try_login(clients[0], s)[1] is not None for s in seconds] == [winner == 0, winner == 1]
        assert try_login(clients[0], first)[1] is None
        assert logins[winner].account()["policyEpoch"] == 1
        assert clients[1].get("/v1/account", logins[1 - winner].token).status == 401
    run.say(f"{rounds} races of two changes: one wins each time ({won[0]} here, {won[1]} there)")


def proof_races_change(run, one, other, rounds):
    """An M1 of a handshake that began before a change: a token of the old epoch that the change ended, or none."""
    kept = 0
    for number in range(rounds):
        here, there = one.client(), other.client()
        first = Enrolment(new_name(), b"first", GROUP)
        first.register(here).expect(201)
        login = log_in(here, first)
        second = Enrolment(first.name, b"second", GROUP)
        peer = SRPPeer(first)
        start = begin(there, first.name, peer.public).expect(200)
        proof = peer.prove(bytes.fromhex(start["salt"]), bytes.fromhex(start["B"]))
        if number == 0:  # and surely after it
            login.change(second).expect(200)
            answers = None, finish(there, start["handshake"], proof)
            assert answers[1].status == 401, answers
        else:
            answers = together(lambda: login.change(second), lambda: finish(there, start["handshake"], proof))
            assert answers[0].status == 200, answers
        if answers[1].status == 200:
            kept += 1
            assert there.get("/v1/account", answers[1].json["token"]).status == 401, "a token outlived the change"
        else:
            assert answers[1].status == 401, answers
        assert log_in(there, second).epoch == 1
    run.say(f"{rounds} proofs of a former password beside a change: {kept} came first, no token outlived it")


def registrations_race(run, one, other):
    for _ in range(10):
        name = new_name()
        both = [Enrolment(name, word, GROUP) for word in (b"here", b"there")]
        answers = together(lambda: both[0].register(one.client()), lambda: both[1].register(other.client()))
        statuses = [answer.status for answer in answers]
        assert sorted(statuses) == [201, 409], answers
        assert try_login(one.client(), both[statuses.index(201)])[1]
    run.say("10 races for a name: one has it each time")
