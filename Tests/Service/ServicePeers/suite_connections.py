"""Many connections at once: no number of them stalls, and idle ones cost little."""

import json
import selectors
import statistics
import threading
import time

import raw
from accounts import new_name
from probe import Probe, undisturbed

COUNTS = (127, 128, 129, 256, 1_000)
IDLE = 10_000
MOST = 150 * 1024  # KiB
STALL = 5  # seconds without any answer
FLOOD = 512  # connections of one address
MOST_TIMES = 3  # as long as without it


def run(run):
    with run.daemon() as service:
        for count in COUNTS:
            rate, longest = at_once(service.port, count, 20)
            run.say(f"{count} connections at once: {rate:.0f} answers a second, the longest after {longest * 1000:.0f} ms")
        for count in (128, 1_000):
            rate, longest = at_once(service.port, count, 3, login())
            run.say(f"{count} logins begun at once: {rate:.0f} a second, the longest after {longest * 1000:.0f} ms")
    with run.daemon() as service:
        idle(run, service)
        assert service.stop() == 0
    with run.daemon(limits=False) as service:
        flooded(run, service)
        assert service.stop() == 0


def flooded(run, service, tries=3):
    """With the limits that a service has, one address keeps no other from logging in, whatever it does."""
    for attempt in range(tries):
        with Probe(service) as quiet:
            time.sleep(2)
        ends, told = threading.Event(), {}
        thread = threading.Thread(target=flood, args=(service.port, ends, told))
        with Probe(service) as beside:
            thread.start()
            time.sleep(5)
            ends.set()
            thread.join()
        assert not beside.refused, beside.refused[:3]
        assert told.get(429), told
        medians = [statistics.median(one.times) for one in (quiet, beside)]
        if medians[1] <= MOST_TIMES * medians[0] or attempt + 1 == tries:
            break
    text = f"a login begun beside {FLOOD} connections of one address: {medians[1] * 1000:.1f} ms, without {medians[0] * 1000:.1f} ms"
    assert medians[1] <= MOST_TIMES * medians[0], text
    run.say(f"{text}; it was answered {told}")


def flood(port, ends, told):
    """Begins logins on all connections without a pause, and dials anew where one is closed; counts the answers."""
    chooser = selectors.DefaultSelector()
    request = login()

    def dial():
        one = raw.dial(port, source="127.0.0.2")
        one.sendall(request)
        chooser.register(one, selectors.EVENT_READ)

    for _ in range(FLOOD):
        dial()
    while not ends.is_set():
        for key, _ in chooser.select(0.1):
            one = key.fileobj
            try:
                part = one.recv(65536)
            except ConnectionResetError:
                part = b""
            if part:
                status = int(part[9:12]) if part.startswith(b"HTTP/1.1 ") else 0
                told[status] = told.get(status, 0) + 1
                try:
                    one.sendall(request)
                    continue
                except OSError:
                    pass
            told["closed"] = told.get("closed", 0) + 1
            chooser.unregister(one)
            one.close()
            try:
                dial()
            except OSError:
                pass
    for key in list(chooser.get_map().values()):
        key.fileobj.close()


def login():
    """A body that costs two powers: a name that nobody has, and a number of the default group."""
    body = json.dumps({"account": new_name("nobody"), "A": "00" * 383 + "02"}).encode()
    return raw.request("POST", "/v1/login", body, "Content-Type: application/json")


def at_once(port, count, rounds, request=raw.request("GET", "/healthz")):
    """Each of `count` connections asks `rounds` times, all at the same time.

    Returns answers a second, and the longest that one took."""
    opened = [raw.dial(port) for _ in range(count)]
    chooser = selectors.DefaultSelector()
    state = {}
    begun = time.monotonic()
    for one in opened:
        one.setblocking(False)
        chooser.register(one, selectors.EVENT_READ)
        one.send(request)
        state[one] = [b"", rounds, time.monotonic()]
    longest, open_count = 0, count
    while open_count:
        ready = chooser.select(STALL)
        assert ready, f"{count} connections: stalled, {open_count} without an answer"
        for key, _ in ready:
            one = key.fileobj
            mine = state[one]
            part = one.recv(65536)
            assert part, f"{count} connections: one was closed"
            mine[0] += part
            if not raw.is_whole(mine[0]):
                continue
            status = raw.split(mine[0])[0][0]
            assert status in (200, 429), mine[0][:200]
            now = time.monotonic()
            longest = max(longest, now - mine[2])
            mine[0], mine[1], mine[2] = b"", mine[1] - 1, now
            if mine[1]:
                one.send(request)
            else:
                chooser.unregister(one)
                open_count -= 1
    taken = time.monotonic() - begun
    for one in opened:
        one.close()
    return count * rounds / taken, longest


def idle(run, service):
    before = service.resident()
    opened = []
    get = raw.request("GET", "/healthz")
    try:
        for number in range(IDLE):
            one = raw.dial(service.port, source=f"127.0.1.{number % 200 + 1}")
            one.sendall(get)  # it was in use once
            opened.append(one)
            if len(opened) % 100 == 0:  # more at once may be too many on a machine that has other work
                for one in opened[-100:]:
                    answer = one.recv(4096)
                    assert answer.startswith(b"HTTP/1.1 200"), answer
        undisturbed(run, f"{IDLE} idle connections", service, lambda: time.sleep(2))
        resident = service.resident()
        assert resident <= MOST, f"{resident} KiB"
        run.say(f"{IDLE} idle connections: resident {resident / 1024:.0f} MiB, {before / 1024:.0f} MiB before")
    finally:
        for one in opened:
            one.close()
