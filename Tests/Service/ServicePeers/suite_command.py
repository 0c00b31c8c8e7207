"""`thumbturn account …` and PyPI's `srp` at one account: each opens what the other registered."""

import json
import os
import subprocess
import tempfile
import types

from accounts import Enrolment, SRPPeer, begin, log_in, new_name, slow_text, try_login
from groups import DEFAULT, GROUPS

OLD, NEW, WRONG = "correct horse 41 battery", "another staple 73 horse", "no password 99 of hers"


def run(run):
    if not run.options.command:
        raise AssertionError("--command names the program `thumbturn`")
    with run.daemon() as service:
        for group in GROUPS:
            login_to_python(run, service, group)
        register_for_python(run, service)
    follow(run)


class Machine:
    """A device of its own, on which the command runs."""

    def __init__(self, run):
        self.binary = os.path.abspath(run.options.command)
        self.folder = tempfile.mkdtemp(prefix="machine.", dir=run.scratch)

    def ends(self, code, *words, lines=(), error=""):
        """Runs the command, which ends with `code`; returns the object that it prints."""
        told = subprocess.run(
            [self.binary, "--device", "simulated", "--json", "--secret-fd", "0", "account", *words],
            input="".join(line + "\n" for line in lines), capture_output=True, text=True,
            env={**os.environ, "XDG_DATA_HOME": self.folder, "XDG_STATE_HOME": self.folder, "LANG": "C.UTF-8"},
        )
        assert told.returncode == code and error in told.stderr, (words, told.returncode, told.stderr)
        return json.loads(told.stdout)


def login_to_python(run, service, group):
    """An account of PyPI's, without an envelope: the first login on a device makes one, and the second finds it."""
    client = service.client()
    enrolment = Enrolment(new_name(), OLD.encode(), group)
    enrolment.register(client).expect(201)
    assert "keyEnvelope" not in log_in(client, enrolment).answer
    place = [enrolment.name, "--service", service.origin]
    first, second = Machine(run), Machine(run)
    first.ends(1, "login", *place, lines=[WRONG], error="ERR-107-040")
    made = first.ends(0, "login", *place, lines=[OLD])
    envelope = log_in(client, enrolment).answer["keyEnvelope"]
    found = second.ends(0, "login", *place, lines=[OLD])
    first.ends(0, "login", lines=[OLD])
    first.ends(0, "contact")
    login = log_in(client, enrolment)
    assert login.answer["keyEnvelope"] != envelope  # the second device is noted in it
    listed = {device["deviceId"] for device in login.account()["devices"]}
    assert listed == {made["deviceId"], found["deviceId"]}, listed
    run.say(f"{group}: an account of Python's without an envelope opens from the command, on two devices")


def register_for_python(run, service):
    """An account of the command's: `srp` logs in with what the service says of salt and cost, before a change and after."""
    client = service.client()
    name, machine = new_name(), Machine(run)
    made = machine.ends(0, "register", name, "--service", service.origin, lines=[OLD])
    old = enrolment(client, name, OLD)
    login = log_in(client, old)
    assert login.epoch == 0 and login.answer["keyEnvelope"], login.answer
    assert [device["deviceId"] for device in login.account()["devices"]] == [made["deviceId"]]
    for wrong in (enrolment(client, name, WRONG), enrolment(client, name, OLD.upper())):
        answer, none = try_login(client, wrong)
        assert (answer.status, answer.code, none) == (401, "LOGIN", None), answer
    machine.ends(0, "password", lines=[OLD, NEW])
    answer, none = try_login(client, old)
    assert (answer.status, none) == (401, None), answer
    assert log_in(client, enrolment(client, name, NEW)).epoch == 1
    run.say(f"{DEFAULT}: an account of the command's opens from srp, and so does its next password")


def follow(run):
    """A service that moves: the vault follows it by name, and a new device finds it there."""
    store, name = run.store(), new_name()
    first, second = Machine(run), Machine(run)
    with run.daemon(store=store) as former:
        first.ends(0, "register", name, "--service", former.origin, lines=[OLD])
        former.stop()
    with run.daemon("--origin", "http://127.0.0.1:9", store=store) as moved:
        assert moved.name == former.name == former.origin != moved.origin, moved.name
        first.ends(1, "login", name, "--service", moved.origin, lines=[OLD], error="ERR-TT-511")
        told = first.ends(0, "move", moved.origin, lines=[OLD])
        assert told == {"service": moved.origin, "origin": former.name}, told
        first.ends(0, "contact")
        second.ends(0, "login", name, "--service", moved.origin, lines=[OLD])
        second.ends(0, "contact")
    run.say("a vault follows its service to another address, and a new device finds it there")


def enrolment(client, name, password):
    """What `srp` needs of an account that somebody else registered."""
    stranger = types.SimpleNamespace(name=name, group=DEFAULT, text="", password=password)
    start = begin(client, name, SRPPeer(stranger).public).expect(200)
    assert start["group"] == DEFAULT and start["kdf"]["memoryKiB"] >= 65536, start
    salt, kdf = bytes.fromhex(start["salt"]), start["kdf"]
    text = slow_text(password.encode(), salt, kdf["memoryKiB"], kdf["passes"])
    return types.SimpleNamespace(name=name, group=DEFAULT, text=text)
