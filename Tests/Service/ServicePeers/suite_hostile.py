"""Clients that mean no good: each is refused with a typed 4xx, nobody else waits, and memory stays as it was."""

import json
import socket
import threading
import time

import raw
from accounts import Enrolment, new_name
from probe import undisturbed

LOGIN = "/v1/login"
JSON_TYPE = "Content-Type: application/json"
FLAT = 24 * 1024  # KiB that allocators may keep


def run(run):
    with run.daemon() as service:
        undisturbed(run, "warming up", service, lambda: time.sleep(1))
        before = service.resident()
        undisturbed(run, "64 connections of one byte a second", service, lambda: slowly(service, run.is_full))
        undisturbed(run, "bodies of 10 MB", service, lambda: large_bodies(service))
        undisturbed(run, "bodies that are no form", service, lambda: bad_bodies(service))
        undisturbed(run, "requests that are no HTTP", service, lambda: bad_requests(service))
        undisturbed(run, "pipelining", service, lambda: pipelining(service))
        undisturbed(run, "connections that are dropped", service, lambda: dropping(service))
        grown = service.resident() - before
        assert grown < FLAT, f"grew by {grown} KiB"
        run.say(f"resident {service.resident()} KiB, {grown:+} KiB since the beginning")
        assert service.stop() == 0


def refusal(data, *statuses):
    """The one answer in `data`, which has to be a problem with a code."""
    answers = raw.split(data)
    assert answers, "no answer"
    status, kind, body = answers[0]
    assert status in statuses, (status, body[:200])
    assert kind.startswith("application/problem+json"), kind
    problem = json.loads(body)
    assert problem["status"] == status and problem["code"], problem
    return problem


def slowly(service, is_full):
    """Half send a head byte by byte, half a body; each is told that it took too long."""
    whole = raw.request("POST", LOGIN, b"{" + b" " * 2000 + b"}", JSON_TYPE)
    head = whole.index(b"\r\n\r\n") + 4
    opened = [raw.dial(service.port) for _ in range(64)]
    for number, one in enumerate(opened):
        if number % 2:
            one.sendall(whole[:head])
    for second in range(30 if is_full else 12):
        for number, one in enumerate(opened):
            at = second + (head if number % 2 else 0)
            try:
                one.send(whole[at : at + 1])
            except OSError:
                pass  # it may be refused as too slow
        time.sleep(1)
    for one in opened:
        with one:
            refusal(raw.read_all(one, several=False), 408)


def large_bodies(service):
    """Refused by their length alone, or once they are longer than any body may be."""
    size = 10_000_000
    for _ in range(10):
        told = raw.exchange(service.port, raw.request("POST", LOGIN, b"", JSON_TYPE, f"Content-Length: {size}") + b"[" * size)
        refusal(told, 413)
        chunks = b"".join(b"10000\r\n" + b"[" * 65536 + b"\r\n" for _ in range(size // 65536)) + b"0\r\n\r\n"
        head = raw.request("POST", LOGIN, b"", JSON_TYPE, "Transfer-Encoding: chunked")
        refusal(raw.exchange(service.port, head + chunks), 413)


def bad_bodies(service):
    name = json.dumps(new_name())
    wide = "ab" * 384
    good = '{"account":%s,"A":"%s"}' % (name, wide)
    deep = b"[" * 30_000 + b"]" * 30_000  # 60 KB, the most that a body may have
    bodies = {
        b"": (400, 422), b"{": (400,), b"null": (422,), b"[]": (422,), b"{}": (422,), b'{"A":1e400}': (400, 422),
        deep: (400, 422), b'{"account":' + deep + b"}": (400, 422), b"[" * 60_000: (400, 422),
        b'{"account":"\xff\xfe","A":"00"}': (400, 422), b'{"account":"\xc0\xaf","A":"00"}': (400, 422),
        b'\xef\xbb\xbf{}': (400, 422), b'{"account":"\\ud800","A":"00"}': (400, 422),
        ('{"account":%s,"account":%s,"A":"%s"}' % (name, name, wide)).encode(): (400, 422),
        ('{"account":%s,"A":"%s","more":1}' % (name, wide)).encode(): (422,),
        ('{"account":%s,"A":1}' % name).encode(): (422,), ('{"account":%s}' % name).encode(): (422,),
        ('{"account":[%s],"A":"%s"}' % (name, wide)).encode(): (422,),
        ('{"account":%s,"A":null}' % name).encode(): (422,),
        ('{"account":%s,"A":"%s"}' % (name, wide.upper())).encode(): (422,),
        (good + good).encode(): (400, 422), (good + "\0").encode(): (400, 422),
    }
    for _ in range(50):
        for body, statuses in bodies.items():
            headers = [JSON_TYPE] + ([] if body else ["Content-Length: 0"])
            refusal(raw.exchange(service.port, raw.request("POST", LOGIN, body, *headers)), *statuses)
    # Deeper than any body may be long: refused as too long.
    refusal(raw.exchange(service.port, raw.request("POST", LOGIN, b"[" * 100_000, JSON_TYPE)), 413)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonx"):
        refusal(raw.exchange(service.port, raw.request("POST", LOGIN, good.encode(), "Content-Type: " + kind)), 415)
    return f"{len(bodies) + 4} kinds"


def bad_requests(service):
    """What two readers could part in two ways is refused, and the connection ends."""
    host, body = "Host: a\r\n", "{}"
    post = f"POST {LOGIN} HTTP/1.1\r\n{host}Content-Type: application/json\r\n"
    chunked = post + "Transfer-Encoding: chunked\r\n\r\n"
    requests = {
        post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ": (400,),
        post + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}": (400,),
        post + "Content-Length: 2, 3\r\n\r\n{} ": (400,), post + "Content-Length: +2\r\n\r\n{}": (400,),
        post + "Content-Length: 0x2\r\n\r\n{}": (400,), post + "Content-Length: -1\r\n\r\n{}": (400,),
        post + "Content-Length: 99999999999999999999999\r\n\r\n{}": (400, 413),
        post + "Content-Length : 2\r\n\r\n{}": (400,),
        post + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": (400,),
        post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": (400, 501),
        post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n": (400, 501),
        post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n": (400, 501),
        chunked + "x\r\n{}\r\n0\r\n\r\n": (400,), chunked + "-2\r\n{}\r\n0\r\n\r\n": (400,),
        chunked + "0x2\r\n{}\r\n0\r\n\r\n": (400,), chunked + "2\r\n{}0\r\n\r\n": (400,),
        chunked + "2\n{}\n0\n\n": (400,), chunked + "fffffffffffffffff\r\n": (400, 413),
        chunked + "\r\n{}\r\n0\r\n\r\n": (400,),
        f"GET / HTTP/1.1\r\n{host} folded: a\r\n b\r\n\r\n": (400,),
        f"GET / HTTP/1.1\r\n{host}X: a\r\n b\r\n\r\n": (400,),
        f"GET / HTTP/1.1\r\n{host}X\r\n\r\n": (400,), f"GET / HTTP/1.1\r\n{host}: a\r\n\r\n": (400,),
        f"GET / HTTP/1.1\r\n{host}X: a\0b\r\n\r\n": (400,), f"GET / HTTP/1.1\r\n{host}X: a\rb\r\n\r\n": (400,),
        "GET / HTTP/1.1\r\n\r\n": (400,), f"GET / HTTP/1.1\r\n{host}{host}\r\n": (400,),
        f"GET  / HTTP/1.1\r\n{host}\r\n": (400,), f"GET /\r\n{host}\r\n": (400,), "\x16\x03\x01\x02\x00\r\n\r\n": (400,),
        f"GET / HTTP/2.0\r\n{host}\r\n": (400, 505), f"GET / HTTP/1.9\r\n{host}\r\n": (400, 404, 505),
        f"GET /{'a' * 9000} HTTP/1.1\r\n{host}\r\n": (414, 431), f"GET / HTTP/1.1\r\n{host}X: {'a' * 9000}\r\n\r\n": (431,),
        f"GET / HTTP/1.1\r\n{host}{''.join(f'X{n}: a' + chr(13) + chr(10) for n in range(1500))}\r\n": (431,),
        f"BREW {LOGIN} HTTP/1.1\r\n{host}\r\n": (405, 501), f"DELETE {LOGIN} HTTP/1.1\r\n{host}\r\n": (405,),
        f"GET /v1/nothing HTTP/1.1\r\n{host}\r\n": (404,), f"GET /v1/../v1/account HTTP/1.1\r\n{host}\r\n": (400, 404),
        f"GET /%00 HTTP/1.1\r\n{host}\r\n": (400, 404), f"GET /%zz HTTP/1.1\r\n{host}\r\n": (400, 404),
    }
    for text, statuses in list(requests.items()) * 20:
        try:
            refusal(raw.exchange(service.port, text.encode("latin-1")), *statuses)
        except AssertionError as error:
            raise AssertionError(f"{error} for {text[:200]!r}")
    small = f"GET /healthz HTTP/1.1\r\n{host}X: {'a' * 2000}\r\n\r\n".encode()
    assert raw.split(raw.exchange(service.port, small))[0][0] == 200
    # A chunk's extension is skipped, a trailer is not taken for a header.
    odd = chunked + '2;a="b"\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n'
    assert raw.split(raw.exchange(service.port, odd.encode()))[0][0] in (400, 422)
    return f"{len(requests)} kinds"


def pipelining(service):
    """Many requests at once are answered in their order; what lies behind a refused one is never read as a request."""
    get = raw.request("GET", "/healthz")
    answers = raw.split(raw.exchange(service.port, get * 200, several=True))
    assert [status for status, _, _ in answers] == [200] * 200, len(answers)
    smuggled = raw.request("POST", LOGIN, b"", JSON_TYPE, "Content-Length: 4", "Content-Length: 0") + get
    assert len(raw.split(raw.exchange(service.port, smuggled, several=True))) == 1
    late = raw.request("POST", LOGIN, b"", JSON_TYPE, "Content-Length: 10000000") + get * 3
    assert len(raw.split(raw.exchange(service.port, late, several=True))) == 1
    return "200 answers in order, none behind a refusal"


def dropping(service):
    """Begin anything, and go."""
    enrolment = Enrolment(new_name(), b"gone")
    body = json.dumps({"account": enrolment.name, **enrolment.members}).encode()
    whole = raw.request("POST", "/v1/accounts", body, JSON_TYPE)

    def drop(cut):
        one = raw.dial(service.port)
        one.sendall(whole[:cut])
        # With a reset in place of an end.
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        one.close()

    threads = [threading.Thread(target=drop, args=(1 + len(whole) * n // 300,)) for n in range(300)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    time.sleep(1)  # whatever they began
