"""Names that nobody has beside names that somebody has: paired in time, and told apart by nothing."""

import random
import time

from accounts import Enrolment, SRPPeer, begin, finish, new_name

PAIRS = 5_000
# Of each name. Five cost no wait; but names that nobody has share their counters, and two may meet in one.
REFUSALS = 3
MOST = 0.02  # of the median, that the middle of all differences may be


def run(run):
    pairs = PAIRS if run.is_full else PAIRS // 10
    with run.daemon() as service:
        client = service.client()
        some = [new_name("some") for _ in range(pairs // REFUSALS + 1)]
        none = [new_name("none") for _ in some]
        model = Enrolment("model", b"model")
        kdf = {"name": "argon2id", "memoryKiB": 65536, "passes": 3, "lanes": 1}  # of who chooses none, and of strangers
        for name in some:
            body = {"account": name, **model.members, "kdf": kdf, "verifier": _verifier(model)}
            client.post("/v1/accounts", body).expect(201)
        public = SRPPeer(model).public
        compare_answers(client, some[0], none[0], public)
        measure(run, client, some[1:], none[1:], public, pairs)


def _verifier(model):
    """Any number of the right size: nobody will prove these passwords."""
    return "0" * 2 + random.randbytes(len(model.verifier) - 1).hex()


def compare_answers(client, some, none, public):
    """Statuses, headers and members of both steps are alike, and salts are stable."""
    seen = []
    for name in (some, none):
        first, second = (begin(client, name, public) for _ in range(2))
        assert first.status == second.status == 200
        assert first.json["salt"] == second.json["salt"] and first.json["B"] != second.json["B"]
        refused = finish(client, second.json["handshake"], bytes(32))
        shape = {member: len(str(value)) for member, value in first.json.items()}
        choices = first.json["group"], first.json["kdf"]
        seen.append((first.status, headers(first), shape, choices, refused.status, headers(refused), refused.body))
    assert seen[0] == seen[1], seen
    group = begin(client, some, bytes([0] * 255 + [2])), begin(client, none, bytes([0] * 255 + [2]))
    assert group[0].body == group[1].body and group[0].code == "GROUP", group


def headers(answer):
    return sorted((name, "" if name == "date" else value) for name, value in answer.headers.items())


def measure(run, client, some, none, public, pairs):
    times = {"begin": ([], []), "finish": ([], [])}
    for pair in range(pairs):
        names = [(0, some[pair % len(some)]), (1, none[pair % len(none)])]
        random.shuffle(names)  # who comes second finds warmer caches
        for kind, name in names:
            start = time.perf_counter()
            answer = begin(client, name, public)
            between = time.perf_counter()
            refused = finish(client, answer.expect(200)["handshake"], bytes(32))
            end = time.perf_counter()
            assert refused.status == 401, refused
            times["begin"][kind].append(between - start)
            times["finish"][kind].append(end - between)
    for step, (known, unknown) in times.items():
        report(run, step, known, unknown)


def report(run, step, known, unknown):
    differences = sorted(b - a for a, b in zip(known, unknown))
    size = len(differences)
    # The median of the differences, and between which of them it lies with 99 % (signs are binomial).
    spread = int(2.576 * size**0.5 / 2)
    low, middle, high = (differences[size // 2 + offset] for offset in (-spread, 0, spread))
    ordinary = sorted(known)[size // 2]
    later = sum(difference > 0 for difference in differences) / size
    run.say(
        f"{step}: {size} pairs, median {ordinary * 1e6:.0f} µs with an account, {sorted(unknown)[size // 2] * 1e6:.0f} µs"
        f" without; difference {middle * 1e6:+.1f} µs (99 %: {low * 1e6:+.1f} to {high * 1e6:+.1f}),"
        f" {later:.1%} slower without"
    )
    # Only what is surely more counts: the machine has other work too.
    assert low <= MOST * ordinary and high >= -MOST * ordinary, f"{step}: {middle / ordinary:+.1%}"
