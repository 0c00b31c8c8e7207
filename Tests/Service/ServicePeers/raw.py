"""Bare sockets: what no HTTP client would send, and more connections than one can keep."""

import socket


def dial(port, timeout=10, source=None):
    """An open connection."""
    one = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    one.settimeout(timeout)
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if source:
        one.bind((source, 0))
    one.connect(("127.0.0.1", port))
    return one


def exchange(port, data, timeout=10, several=False):
    """Sends bytes on a connection of their own, and reads the answer; where `several` may come, until no more does."""
    with dial(port, timeout) as one:
        try:
            one.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it may have answered, and gone
        return read_all(one, several)


def read_all(one, several):
    """The first answer, or everything until the end, or until nothing comes any more."""
    parts = []
    try:
        while part := one.recv(65536):
            parts.append(part)
            if is_whole(b"".join(parts)):
                if not several:
                    break
                one.settimeout(0.5)  # a second answer, if there is one, is there by now
    except (TimeoutError, ConnectionResetError):
        pass
    return b"".join(parts)


def is_whole(data):
    """Whether a first answer is there with its body."""
    head, mark, body = data.partition(b"\r\n\r\n")
    if not mark:
        return False
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return len(body) >= int(line.split(b":")[1])
    return True


def split(data):
    """The answers in a stream, each (status, content type, body)."""
    answers = []
    while data:
        head, mark, rest = data.partition(b"\r\n\r\n")
        assert mark, data[:200]
        lines = head.split(b"\r\n")
        assert lines[0].startswith(b"HTTP/1.1 "), lines[0]
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(b":")
            assert name.lower() not in headers or name.lower() == b"set-cookie", f"twice: {name}"
            headers[name.lower().decode()] = value.strip().decode()
        status = int(lines[0].split(b" ")[1])
        size = 0 if status in (100, 204) else int(headers["content-length"])
        if status != 100:
            answers.append((status, headers.get("content-type", ""), rest[:size]))
        data = rest[size:]
    return answers


def request(method, path, body=b"", *headers):
    """A request as text, with a length where it has a body."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *headers]
    if body and not any(line.lower().startswith(("content-length", "transfer-encoding")) for line in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
