#!/usr/bin/python3
"""Holds the release build of `thumbturn` against other tools that keep secrets, on this machine and in the same run.

usage: bench-peers.py COMMAND [TOOL...]     COMMAND is the release build; no TOOL means all
       bench-peers.py --self-test           judges planted figures, and expects each verdict

Needs what `setup.sh --peers` installs, all of it from Debian. Each tool works on a store of its own in a folder under
TMPDIR, or under /var/tmp, which is a disk where /tmp often is memory. docs/performance.md says what is compared and how.

exit codes: 0 within the limits, 4 one over, 2 a name that is no tool, 3 a tool that is missing or does not do its work
"""

import base64
import copy
import ctypes
import ctypes.util
import datetime
import hashlib
import json
import os
import pty
import random
import re
import select
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

# What a vault of the command costs who opens it, and so what every peer is given that can be told.
MEMORY_KIB, PASSES, LANES = 65536, 3, 1
PASSWORD = "571923884211"  # twelve digits, which is what keys in files ask for
LIMIT = 1.0  # of a peer's time: ours must be ahead
WARM_UPS = 2  # pairs that fill caches, and are not counted
LEAST, MOST, SECONDS = 7, 51, 10  # pairs of a figure: at least, at most, and how long one that is close may take
FLUSHES = ("fsync", "fdatasync", "sync", "syncfs", "sync_file_range", "msync")
STRACE = ["strace", "-f", "-e", f"trace={','.join(FLUSHES)}", "-e", "signal=none"]


class Failure(Exception):
    """Why a figure could not be made."""


# --- judging ------------------------------------------------------------------------------------------------------


@dataclass
class Figure:
    """One operation of one tool at one size, beside ours."""

    tool: str
    version: str
    operation: str
    entries: int
    pairs: list  # of seconds, ours and theirs
    flushes: tuple  # ours and theirs
    limit: float = None  # the most that the ratio may be; none where the peer derives nothing from a password

    @property
    def ours(self):
        return statistics.median(ours for ours, _ in self.pairs)

    @property
    def theirs(self):
        return statistics.median(theirs for _, theirs in self.pairs)

    @property
    def ratio(self):
        """The median of the pairs' ratios, not the ratio of the medians: what slows the machine slows both."""
        return statistics.median(ours / theirs for ours, theirs in self.pairs)

    @property
    def is_over(self):
        return self.limit is not None and not self.ratio <= self.limit


def is_close(pairs, limit):
    """Whether it may be chance on which side of the limit the median ratio lies (95 %; signs are binomial)."""
    ratios = sorted(ours / theirs for ours, theirs in pairs)
    spread = int(len(ratios) / 2 - len(ratios) ** 0.5)
    return limit is not None and ratios[spread] <= limit < ratios[-1 - spread]


def exit_code(figures, missing):
    """What the run ends with: a figure over its limit is told before a tool that could not be measured."""
    if any(figure.is_over for figure in figures):
        return 4
    return 3 if missing or not figures else 0


def flushes_in(trace):
    """How many calls in a trace of strace wrote through to the disk; one that was interrupted stands in two lines."""
    return len(re.findall(rf"^(?:\d+ +)?(?:{'|'.join(FLUSHES)})\(", trace, re.MULTILINE))


def self_test():
    def figure(pairs, limit=LIMIT):
        return Figure("planted", "1", "read", 1, pairs, (0, 0), limit)

    within, over = figure([(1, 2), (1, 2), (9, 2)]), figure([(3, 2), (3, 2), (1, 9)])
    # The slow pairs are slow for both: the medians alone would say 2 to 3, and each pair says the opposite.
    uneven = figure([(2, 1), (20, 10), (2, 3)])
    trace = (
        "12 fdatasync(8) = 0\n12 fsync(9 <unfinished ...>\n13 openat(3, \"fsync(\") = 4\n12 <... fsync resumed>) = 0\n"
        "fsync(3) = 0\n14 msync(0x1, 4096, MS_SYNC) = 0\n14 fsyncish(1) = 0\n"
    )
    checks = {
        "ours ahead": not within.is_over and within.ratio == 0.5,
        "ours behind": over.is_over and over.ratio == 1.5,
        "level with it": not figure([(1, 1)]).is_over,
        "no limit, no verdict": not figure([(3, 2)], None).is_over,
        "seven of a kind are no chance": not is_close([(1, 2)] * 7, LIMIT) and not is_close([(2, 1)] * 7, LIMIT),
        "one otherwise may be": is_close([(1, 2)] * 6 + [(2, 1)], LIMIT),
        "of sixteen, three may be otherwise": not is_close([(1, 2)] * 12 + [(2, 1)] * 4, LIMIT),
        "nothing is close to no limit": not is_close([(1, 2)] * 6 + [(2, 1)], None),
        "a ratio is the pairs'": uneven.ratio == 2 and uneven.ours == 2 and uneven.theirs == 3 and uneven.is_over,
        "all within": exit_code([within, within], []) == 0,
        "one over": exit_code([within, over, within], []) == 4,
        "a missing tool is no success": exit_code([within], ["age"]) == 3,
        "over comes before missing": exit_code([over], ["age"]) == 4,
        "nothing measured is no success": exit_code([], []) == 3,
        "a name that is no tool": unknown(["age", "agf"]) == ["agf"] and not unknown([peer.name for peer in PEERS]),
        "four flushes, one in two lines": flushes_in(trace) == 4,
        "a mnemonic of zeros": mnemonic(bytes(16), word_list()) == "abandon " * 11 + "about",
    }
    for what, holds in checks.items():
        if not holds:
            print(f"bench-peers: self-test: wrong: {what}", file=sys.stderr)
    if all(checks.values()):
        print(f"bench-peers: {len(checks)} planted cases, each judged as it should be")
    return 0 if all(checks.values()) else 1


# --- running --------------------------------------------------------------------------------------------------------


class Bench:
    """The folder of a run, and how its processes are started."""

    def __init__(self, folder, command):
        self.folder, self.command = Path(folder), command
        self.prefix = []
        self.children = []
        self.stores = {}
        # Nothing of the caller's: no agent, no bus, no language, no settings.
        self.environment = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8", "TMPDIR": folder}
        for name, value in (("HOME", "home"), ("XDG_RUNTIME_DIR", "run")):
            self.environment[name] = str(self.folder / value)
            (self.folder / value).mkdir(mode=0o700)

    def run(self, command, given="", descriptors=(), **environment):
        """Runs a command.

        Returns the seconds from before its start to after its end, and what it printed.
        """
        start = time.perf_counter()
        ended = subprocess.run(
            [*self.prefix, *command], input=given.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            pass_fds=descriptors, env=self.environment | environment, cwd=self.folder, timeout=120,
        )
        return self.judged(command, ended.returncode, time.perf_counter() - start, ended.stdout, ended.stderr)

    def judged(self, command, code, seconds, out, err):
        if code != 0:
            raise Failure(f"{' '.join(command[:4])} ended with {code}: {err.decode()[-300:]}")
        return seconds, out.decode()

    def run_on_terminal(self, command, answers):
        """Runs a command that asks on its terminal, and gives each answer once it asks."""
        ours, theirs = pty.openpty()
        name = os.ttyname(theirs)
        process = None
        start = time.perf_counter()
        try:
            process = subprocess.Popen(
                [*self.prefix, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env=self.environment, cwd=self.folder, start_new_session=True,
                # Who has no terminal yet gets the first that he opens.
                preexec_fn=lambda: os.close(os.open(name, os.O_RDWR)),
            )
            for answer in answers:
                asked = b""
                while not asked.rstrip().endswith(b":"):
                    if not select.select([ours], [], [], 20)[0]:
                        raise Failure(f"{' '.join(command[:4])} does not ask")
                    asked += os.read(ours, 4096)
                os.write(ours, answer.encode() + b"\n")
            out, err = process.communicate(timeout=120)
            seconds = time.perf_counter() - start
        finally:
            if process and process.poll() is None:
                process.kill()
                process.wait()
            os.close(ours)
            os.close(theirs)
        return self.judged(command, process.returncode, seconds, out, err)

    def start(self, command, given=b"", **environment):
        """Starts a process that stays until `stop`, or the end of the run."""
        child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=self.environment | environment, cwd=self.folder,
        )
        self.children.append(child)
        child.stdin.write(given)
        child.stdin.close()
        return child

    def stop(self, child):
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(timeout=5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        self.children.remove(child)

    def flushes(self, action):
        """How often an action of one command wrote through to the disk."""
        trace = self.folder / "trace"
        self.prefix = [*STRACE, "-o", str(trace)]
        try:
            action()
        finally:
            self.prefix = []
        return flushes_in(trace.read_text())

    def store(self, kind, entries):
        """A kind of store with so many entries, made when it is first asked for."""
        if (kind, entries) not in self.stores:
            store = kind(self, Path(tempfile.mkdtemp(dir=self.folder)), entries)
            self.stores[kind, entries] = store  # first: what a half made store has started has an end too
            store.make()
        return self.stores[kind, entries]

    def end(self):
        for store in self.stores.values():
            store.end()
        for child in list(self.children):
            self.stop(child)


def eventually(what, is_so):
    """Asks again until something of another process is so, for 20 seconds."""
    end = time.monotonic() + 20
    while not is_so():
        if time.monotonic() > end:
            raise Failure(what)
        time.sleep(0.01)


def listens(path):
    with socket.socket(socket.AF_UNIX) as one:
        return one.connect_ex(str(path)) == 0


def word_list():
    """The command's own list of BIP-39."""
    source = (Path(__file__).parent.parent / "Sources/Library/Thumbturn/Secrets/MnemonicWords.swift").read_text()
    return re.search(r'StaticString = """(.*?)"""', source, re.DOTALL).group(1).split()


def mnemonic(entropy, words):
    """The twelve words of sixteen bytes and their checksum."""
    number = int.from_bytes(entropy, "big") << 4 | hashlib.sha256(entropy).digest()[0] >> 4
    return " ".join(words[number >> 11 * (11 - place) & 2047] for place in range(12))


def argon2_seconds():
    """How long the derivation of a vault takes alone, by the library that the command uses."""
    sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))
    sodium.sodium_init()
    key, size = ctypes.create_string_buffer(32), ctypes.c_ulonglong
    argon2id = 2
    start = time.perf_counter()
    if sodium.crypto_pwhash(key, size(32), PASSWORD.encode(), size(len(PASSWORD)), bytes(16), size(PASSES),
                            ctypes.c_size_t(MEMORY_KIB * 1024), argon2id) != 0:
        raise Failure("libsodium does not derive")
    return time.perf_counter() - start


# --- the stores -----------------------------------------------------------------------------------------------------


class Store:
    """A store with some entries. `read`, `list` and `add` do that as a process, and return the seconds it took."""

    limit = LIMIT

    def __init__(self, bench, folder, entries):
        self.bench, self.folder = bench, folder
        draw, words = random.Random(17), word_list()  # the same in every run
        self.secrets = {f"entry{number}": mnemonic(draw.randbytes(16), words) for number in range(entries)}
        self.wanted = f"entry{entries // 2}"
        self.added = 0
        self.counts = {}

    def make(self):
        """Fills the store."""

    def end(self):
        """Ends what runs for the store."""

    def flushes(self, operation):
        """How often an operation writes through to the disk."""
        if operation not in self.counts:
            self.counts[operation] = self.count_flushes(getattr(self, operation))
        return self.counts[operation]

    def count_flushes(self, action):
        return self.bench.flushes(action)

    def new_name(self):
        self.added += 1
        return f"new{self.added}"

    @property
    def secret(self):
        """Of the entry that is read, and of those that are added."""
        return self.secrets[self.wanted]

    def checked(self, ran, has=None):
        """The seconds of a run that printed what it was asked for; what prints something else has not done the work."""
        seconds, text = ran
        if (has or self.secret) not in text:
            raise Failure(f"{type(self).__name__} did not print what it was asked for")
        return seconds


class OurStore(Store):
    """The command, as a process with a home of its own, its keys in files."""

    def run(self, *arguments, given=None):
        return self.bench.run(
            [self.bench.command, *arguments, *(["--secret-fd", "0"] if given is not None else [])],
            given or "", XDG_DATA_HOME=str(self.folder), XDG_STATE_HOME=str(self.folder),
        )


class Vault(OurStore):
    """A vault that a PIN opens."""

    def make(self):
        self.run("--device", "files", "init", "--no-biometrics", given=f"{PASSWORD}\n")
        # Its slot says what a PIN costs; a peer at another cost would not be comparable.
        if struct.pack(">II", MEMORY_KIB, PASSES) not in (self.folder / "thumbturn/vault/vault.sqlite").read_bytes():
            raise Failure(f"a vault's Argon2id is not {MEMORY_KIB} KiB and {PASSES} passes: the peers' has to follow")
        rows = "".join(f"{name}\t{words}\n" for name, words in self.secrets.items())
        self.run("wallet", "import", "--bulk", given=f"{PASSWORD}\n{rows}")

    def read(self):
        return self.checked(self.run("wallet", "export", self.wanted, given=f"{PASSWORD}\n"))

    def list(self):
        return self.checked(self.run("wallet", "list", given=f"{PASSWORD}\n"), has=self.wanted)

    def add(self):
        ran = self.run("wallet", "import", self.new_name(), given=f"{PASSWORD}\n{self.secret}\n")
        return self.checked(ran, has=f"new{self.added}")


class Credentials(OurStore):
    """Credentials, which the device alone guards."""

    def make(self):
        self.run("--device", "files", "init", "--no-biometrics", given=f"{PASSWORD}\n")
        for name, words in self.secrets.items():
            self.set(name, words)

    def set(self, name, words):
        return self.run("credential", "set", name, "--no-biometrics", given=f"{words}\n")[0]

    def read(self):
        return self.checked(self.run("credential", "get", self.wanted))

    def add(self):
        return self.set(self.new_name(), self.secret)


class KeePassXC(Store):
    """A database of KeePassXC. Its command line can't be told a cost, so pykeepass makes it."""

    name, packages = "keepassxc-cli", ["keepassxc", "python3-pykeepass"]
    rival, sizes = Vault, (1, 100, 10_000, 50_000)
    operations = derives = ("read", "list", "add")

    def make(self):
        import pykeepass
        from pykeepass.kdbx_parsing.kdbx4 import kdf_uuids

        self.file = str(self.folder / "store.kdbx")
        database = pykeepass.create_database(self.file, password=PASSWORD)
        cost = database.kdbx.header.value.dynamic_header.kdf_parameters.data.dict
        for name, value in (("$UUID", kdf_uuids["argon2id"]), ("M", MEMORY_KIB * 1024), ("I", PASSES), ("P", LANES)):
            cost[name].value = value
        del database.kdbx.header["data"]  # the old header as it was read, which would be written again
        # Its own way to add one looks through all that are there.
        first = database.add_entry(database.root_group, "", "", "")._element
        for name, words in self.secrets.items():
            entry = copy.deepcopy(first)
            entry.find("UUID").text = base64.b64encode(os.urandom(16)).decode()
            for field in entry.iterfind("String"):
                kind = field.findtext("Key")
                field.find("Value").text = {"Title": name, "Password": words}.get(kind, field.findtext("Value"))
            first.getparent().append(entry)
        first.getparent().remove(first)
        database.save()
        _, text = self.run("db-info", self.file)
        if f"Argon2id ({PASSES} rounds, {MEMORY_KIB} KB)" not in text:
            raise Failure("KeePassXC's database has another cost than a vault")

    def run(self, *arguments, more=""):
        return self.bench.run(["keepassxc-cli", arguments[0], "-q", *arguments[1:]], f"{PASSWORD}\n{more}")

    def read(self):
        return self.checked(self.run("show", "-s", "-a", "Password", self.file, self.wanted))

    def list(self):
        return self.checked(self.run("ls", self.file), has=self.wanted)

    def add(self):
        return self.run("add", "-p", self.file, self.new_name(), more=f"{self.secret}\n")[0]


# What someone writes who needs no tool: one file, sealed as a whole.
PYTHON = '''
import json, os, sys
from argon2.low_level import Type, hash_secret_raw
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

path, action, *name = sys.argv[1:]
password = sys.stdin.readline().rstrip("\\n").encode()

def cipher(salt):
    return AESGCM(hash_secret_raw(password, salt, time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=LANES,
                                  hash_len=32, type=Type.ID))

if action == "make":
    salt, entries = os.urandom(16), json.load(sys.stdin)
    key = cipher(salt)
else:
    data = open(path, "rb").read()
    salt = data[:16]
    key = cipher(salt)
    entries = json.loads(key.decrypt(data[16:28], data[28:], None))
if action == "read":
    print(entries[name[0]])
elif action == "list":
    print("\\n".join(entries))
else:
    if action == "add":
        entries[name[0]] = sys.stdin.readline().rstrip("\\n")
    nonce = os.urandom(12)
    with open(path + ".new", "wb") as file:
        file.write(salt + nonce + key.encrypt(nonce, json.dumps(entries).encode(), None))
    os.replace(path + ".new", path)
'''


class Python(Store):
    """A short program with the same Argon2id and AES-256-GCM."""

    name, packages = "python", ["python3-cryptography", "python3-argon2"]
    rival, sizes = Vault, (1, 100, 10_000, 50_000)
    operations = derives = ("read", "list", "add")

    def make(self):
        self.program = self.folder / "store.py"
        cost = {"PASSES": PASSES, "MEMORY_KIB": MEMORY_KIB, "LANES": LANES}
        self.program.write_text(re.sub("PASSES|MEMORY_KIB|LANES", lambda name: str(cost[name[0]]), PYTHON))
        self.run("make", more=json.dumps(self.secrets))

    def run(self, *arguments, more=""):
        command = ["/usr/bin/python3", str(self.program), str(self.folder / "store"), *arguments]
        return self.bench.run(command, f"{PASSWORD}\n{more}")

    def read(self):
        return self.checked(self.run("read", self.wanted))

    def list(self):
        return self.checked(self.run("list"), has=self.wanted)

    def add(self):
        return self.run("add", self.new_name(), more=f"{self.secret}\n")[0]


class Age(Store):
    """A file that age sealed; it asks on a terminal alone, and its scrypt has one cost, which is dearer."""

    name, packages = "age", ["age"]
    rival, sizes = Vault, (1,)
    operations = derives = ("read", "add")

    def make(self):
        self.plain = self.folder / "plain"
        self.plain.write_text(self.secret)
        self.seal(self.wanted)

    def seal(self, name):
        command = ["age", "-p", "-o", str(self.folder / name), str(self.plain)]
        return self.bench.run_on_terminal(command, [PASSWORD, PASSWORD])[0]

    def read(self):
        return self.checked(self.bench.run_on_terminal(["age", "-d", str(self.folder / self.wanted)], [PASSWORD]))

    def add(self):
        return self.seal(self.new_name())


class GPG(Store):
    """A file that `gpg -c` sealed, at the most that OpenPGP's derivation can be told."""

    name, packages = "gpg", ["gpg", "gpg-agent"]
    rival, sizes = Vault, (1,)
    operations = derives = ("read", "add")

    def make(self):
        self.seal(self.wanted)

    def run(self, *arguments, more=""):
        command = ["gpg", "-q", "--batch", "--pinentry-mode", "loopback", "--passphrase-fd", "0", "--no-symkey-cache"]
        return self.bench.run([*command, *arguments], f"{PASSWORD}\n{more}", GNUPGHOME=str(self.folder))

    def seal(self, name):
        cost = ["--s2k-mode", "3", "--s2k-count", "65011712"]
        return self.run(*cost, "-o", str(self.folder / name), "-c", more=self.secret)[0]

    def read(self):
        return self.checked(self.run("-d", str(self.folder / self.wanted)))

    def add(self):
        return self.seal(self.new_name())

    def end(self):
        self.bench.run(["gpgconf", "--kill", "all"], GNUPGHOME=str(self.folder))


class GPGFile(GPG):
    """One file that `gpg -c` sealed, a line for each secret: it is opened, searched and sealed as a whole."""

    name = "gpg-file"
    sizes = (1, 100, 10_000, 50_000)
    operations = derives = ("read", "list", "add")

    def make(self):
        self.lines = "".join(f"{name}\t{words}\n" for name, words in self.secrets.items())
        self.seal_lines()

    def seal_lines(self):
        cost = ["--yes", "--s2k-mode", "3", "--s2k-count", "65011712"]
        return self.run(*cost, "-o", str(self.folder / "all"), "-c", more=self.lines)[0]

    def read(self):
        return self.checked(self.run("-d", str(self.folder / "all")))

    def list(self):
        return self.checked(self.run("-d", str(self.folder / "all")), has=self.wanted)

    def add(self):
        opened = self.read()
        self.lines += f"{self.new_name()}\t{self.secret}\n"
        return opened + self.seal_lines()


class SQLCipher(Store):
    """A table of SQLCipher, whose derivation is told as many rounds as take the time of our Argon2id."""

    name, packages = "sqlcipher", ["sqlcipher"]
    rival, sizes = Vault, (1, 100, 10_000, 50_000)
    operations = derives = ("read", "list", "add")
    limit = 1.15  # it derives as long as we do by construction, and so the rest of both is compared, our flushes too

    def make(self):
        self.rounds = 64_000
        rows = "".join(f"INSERT INTO entries VALUES ('{name}', '{words}');" for name, words in self.secrets.items())
        table = "CREATE TABLE entries (name TEXT PRIMARY KEY, secret TEXT) WITHOUT ROWID;"
        self.run(f"{table} BEGIN; {rows} COMMIT;")
        tries = [self.run("SELECT count(*) FROM sqlite_master;")[0] for _ in range(3)]  # one page: the rest is no derivation
        self.rounds = max(64_000, int(self.rounds * argon2_seconds() / statistics.median(tries)))
        (self.folder / "store").unlink()
        self.run(f"{table} BEGIN; {rows} COMMIT;")

    def run(self, statements):
        key = f"PRAGMA key = '{PASSWORD}'; PRAGMA kdf_iter = {self.rounds};"
        return self.bench.run(["sqlcipher", "-batch", str(self.folder / "store")], f"{key}\n{statements}\n")

    def read(self):
        return self.checked(self.run(f"SELECT secret FROM entries WHERE name = '{self.wanted}';"))

    def list(self):
        return self.checked(self.run("SELECT name FROM entries;"), has=self.wanted)

    def add(self):
        return self.run(f"INSERT INTO entries VALUES ('{self.new_name()}', '{self.secret}');")[0]


class Pass(Store):
    """A folder of pass, whose key gpg-agent asks a passphrase for each time."""

    name, packages = "pass", ["pass", "gpg", "gpg-agent"]
    rival, sizes = Vault, (1, 100, 10_000, 50_000)
    operations = ("read", "list", "add")
    derives = ("read",)  # names lie in the clear, and what is added is sealed with a public key
    count = None  # of the bytes that its agent hashes, the same for each size

    def make(self):
        self.home = self.folder / "gnupg"
        self.home.mkdir(mode=0o700)
        if not Pass.count:
            Pass.count = self.equal_count()
        self.configure(Pass.count)
        key = ["gpg", "-q", "--batch", "--pinentry-mode", "loopback", "--passphrase-fd", "0"]
        self.run([*key, "--quick-generate-key", "bench@example.org", "future-default"], f"{PASSWORD}\n")
        self.run(["pass", "init", "bench@example.org"])
        first, *rest = self.secrets
        self.run(["pass", "insert", "-m", first], self.secret)
        # Sealing each would take minutes, and none of them is read but the one.
        for name in rest:
            shutil.copy(self.folder / f"store/{first}.gpg", self.folder / f"store/{name}.gpg")

    def equal_count(self):
        """How many bytes take the agent as long as our Argon2id takes; of each the time that nothing disturbed."""
        self.configure(few := 1 << 27)
        seconds = []
        for _ in range(15):
            _, text = self.run(["gpg-connect-agent", "GETINFO s2k_time", "/bye"])
            seconds.append((argon2_seconds(), int(text.split()[1]) / 1e3))
        argon2, hashing = map(min, zip(*seconds))
        return int(few * argon2 / hashing)

    def configure(self, count):
        """Has the agent ask each time, and hash so many bytes."""
        (self.home / "gpg-agent.conf").write_text(
            f"default-cache-ttl 0\nmax-cache-ttl 0\nallow-loopback-pinentry\ns2k-count {count}\n"
        )
        self.end()

    def run(self, command, given="", descriptors=(), **environment):
        return self.bench.run(
            command, given, descriptors, GNUPGHOME=str(self.home), PASSWORD_STORE_DIR=str(self.folder / "store"),
            **environment,
        )

    def read(self):
        reader, writer = os.pipe()
        os.write(writer, f"{PASSWORD}\n".encode())
        os.close(writer)
        try:
            terms = f"--pinentry-mode loopback --passphrase-fd {reader}"
            return self.checked(self.run(["pass", "show", self.wanted], "", (reader,), PASSWORD_STORE_GPG_OPTS=terms))
        finally:
            os.close(reader)

    def list(self):
        return self.checked(self.run(["pass", "ls"]), has=self.wanted)

    def add(self):
        return self.run(["pass", "insert", "-m", self.new_name()], self.secret)[0]

    def end(self):
        self.run(["gpgconf", "--kill", "all"])


class SecretTool(Store):
    """An unlocked keyring of GNOME on a bus of its own; the daemon has the key and writes the file."""

    name, packages = "secret-tool", ["libsecret-tools", "gnome-keyring", "dbus"]
    rival, sizes = Credentials, (1, 100)
    operations, derives = ("read", "add"), ()

    def make(self):
        self.bus = f"unix:path={self.folder}/bus"
        self.bench.start(["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={self.bus}"])
        eventually("the bus does not listen", lambda: listens(self.folder / "bus"))
        self.unlock()
        for name, words in self.secrets.items():
            self.set(name, words)

    def unlock(self, tracer=()):
        daemon = ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"]
        home = {"HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder), "DBUS_SESSION_BUS_ADDRESS": self.bus}
        self.daemon = self.bench.start([*tracer, *daemon], PASSWORD.encode(), **home)
        owned = ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
                 "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"]
        eventually("the keyring does not come up", lambda: "boolean true" in self.run(owned)[1])

    def run(self, command, given=""):
        return self.bench.run(command, given, HOME=str(self.folder), DBUS_SESSION_BUS_ADDRESS=self.bus)

    def set(self, name, words):
        return self.run(["secret-tool", "store", "--label", name, "entry", name], words)[0]

    def read(self):
        return self.checked(self.run(["secret-tool", "lookup", "entry", self.wanted]))

    def add(self):
        return self.set(self.new_name(), self.secret)

    def count_flushes(self, action):
        """Those of the daemon, which writes in the tool's place."""
        trace = self.folder / "trace"
        self.bench.stop(self.daemon)
        # -D: what is stopped is the daemon, and strace ends behind it.
        self.unlock([*STRACE, "-D", "-o", str(trace)])
        action()
        self.bench.stop(self.daemon)
        eventually("strace does not end", lambda: trace.read_text().endswith("+++\n"))
        self.unlock()
        return flushes_in(trace.read_text())


class SystemdCreds(Store):
    """Files that systemd-creds sealed with the key of the machine."""

    name, packages = "systemd-creds", ["systemd"]
    rival, sizes = Credentials, (1,)
    operations, derives = ("read", "add"), ()

    def make(self):
        self.seal(self.wanted)

    def run(self, *arguments, given=""):
        # A key of our own in place of the one of the machine.
        return self.bench.run(["systemd-creds", *arguments], given, SYSTEMD_CREDENTIAL_SECRET=str(self.folder / "key"))

    def seal(self, name):
        command = ["encrypt", "--with-key=host", f"--name={name}", "-", str(self.folder / name)]
        return self.run(*command, given=self.secret)[0]

    def read(self):
        return self.checked(self.run("decrypt", f"--name={self.wanted}", str(self.folder / self.wanted), "-"))

    def add(self):
        return self.seal(self.new_name())


class SoftwareTPM(Store):
    """A TPM that is a program, for one that speaks to it."""

    rival, sizes = Credentials, (1,)
    operations, derives = ("read", "add"), ()

    def make(self):
        state = self.folder
        self.bench.start([
            "swtpm", "socket", "--tpm2", "--tpmstate", f"dir={state}", "--server", f"type=unixio,path={state}/t",
            "--ctrl", f"type=unixio,path={state}/t.ctrl", "--flags", "not-need-init,startup-clear",
        ])
        for path in ("t", "t.ctrl"):
            eventually("swtpm does not listen", lambda: listens(state / path))
        self.transport = f"swtpm:path={state}/t"
        self.fill()

    def run(self, *command, given=""):
        return self.bench.run(command, given, TPM2TOOLS_TCTI=self.transport)


class Clevis(SoftwareTPM):
    """What clevis sealed with a TPM."""

    name, packages = "clevis", ["clevis", "clevis-tpm2", "swtpm"]

    def fill(self):
        _, self.sealed = self.run("clevis", "encrypt", "tpm2", "{}", given=self.secret)

    def read(self):
        return self.checked(self.run("clevis", "decrypt", given=self.sealed))

    def add(self):
        return self.run("clevis", "encrypt", "tpm2", "{}", given=self.secret)[0]


class TPM2Tools(SoftwareTPM):
    """An object that stays in a TPM, for which no primary key has to be made and nothing loaded."""

    name, packages = "tpm2-tools", ["tpm2-tools", "swtpm"]
    operations = ("read",)

    def fill(self):
        file = {name: str(self.folder / name) for name in ("primary", "public", "private", "object")}
        for command in (
            ["tpm2_createprimary", "-Q", "-C", "o", "-c", file["primary"]],
            ["tpm2_create", "-Q", "-C", file["primary"], "-i-", "-u", file["public"], "-r", file["private"]],
            ["tpm2_load", "-Q", "-C", file["primary"], "-u", file["public"], "-r", file["private"], "-c", file["object"]],
            ["tpm2_evictcontrol", "-Q", "-C", "o", "-c", file["object"], "0x81000100"],
        ):
            self.run(*command, given=self.secret if "-i-" in command else "")
            self.run("tpm2_flushcontext", "-t")  # nobody does it for who speaks to a TPM alone

    def read(self):
        return self.checked(self.run("tpm2_unseal", "-c", "0x81000100"))


PEERS = [KeePassXC, Python, SQLCipher, GPGFile, Age, GPG, Pass, SecretTool, SystemdCreds, Clevis, TPM2Tools]


def unknown(names):
    return [name for name in names if name not in {peer.name for peer in PEERS}]


# --- a run ----------------------------------------------------------------------------------------------------------


def measure(bench, peer, operation, entries):
    """Measures A B A B …; the first pairs are not counted."""
    ours, theirs = bench.store(peer.rival, entries), bench.store(peer, entries)
    flushes = ours.flushes(operation), theirs.flushes(operation)
    limit = peer.limit if operation in peer.derives else None

    def pair():
        return getattr(ours, operation)(), getattr(theirs, operation)()

    for _ in range(WARM_UPS):
        pair()
    begun = time.monotonic()
    pairs = [pair() for _ in range(LEAST)]
    while is_close(pairs, limit) and len(pairs) < MOST and time.monotonic() - begun < SECONDS:
        pairs.append(pair())
    return Figure(peer.name, version(peer), operation, entries, pairs, flushes, limit)


def is_installed(package):
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", package], capture_output=True, text=True)
    return asked.stdout == "installed"


def version(peer):
    """Of the package that the tool is in; with Debian's own number, which says what was patched."""
    return subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", peer.packages[0]], capture_output=True, text=True, check=True
    ).stdout


WIDTHS = (13, 18, 9, 7, 9, 9, 7, 7, 7, 4)
NUMBERS = range(3, 9)  # the cells that stand to the right


def line(*cells):
    """A row of a table that reads as one here and in Markdown."""
    return "| " + " | ".join(
        f"{cell:{'<>'[place in NUMBERS]}{width}}" for place, (cell, width) in enumerate(zip(cells, WIDTHS))
    ) + " |"


def row(figure):
    return line(
        figure.tool, figure.version, figure.operation, f"{figure.entries:,}", f"{figure.ours * 1e3:.1f} ms",
        f"{figure.theirs * 1e3:.1f} ms", f"{figure.ratio:.2f} ×", "{} / {}".format(*figure.flushes),
        "–" if figure.limit is None else f"{figure.limit:.2f} ×", "OVER" if figure.is_over else "",
    )


def machine():
    """What the figures depend on, in a line."""
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    system = re.search(r'PRETTY_NAME="(.*)"', Path("/etc/os-release").read_text())
    return " · ".join([
        datetime.date.today().isoformat(), f"{os.cpu_count()} cores", processor[1] if processor else os.uname().machine,
        system[1] if system else "", f"Linux {os.uname().release}",
    ])


def busy():
    return f"{os.getloadavg()[0]:.1f} tasks wanted a core in the last minute"


def compare(command, names):
    figures, missing = [], []
    folder = tempfile.mkdtemp(prefix="thumbturn-peers.", dir=os.environ.get("TMPDIR", "/var/tmp"))
    bench = Bench(folder, command)
    try:
        print(machine())
        print(f"files in {folder} · {busy()}")
        print(f"Argon2id {MEMORY_KIB // 1024} MiB, {PASSES} passes, {LANES} lane · our keys in files")
        print("medians of interleaved pairs; a ratio is the median of the pairs' ratios, ours to theirs")
        print()
        print(line("tool", "version", "operation", "entries", "ours", "theirs", "ratio", "flushes", "limit", ""))
        print("|" + "|".join("-" * (width + 1) + "-:"[place in NUMBERS] for place, width in enumerate(WIDTHS)) + "|")
        for peer in PEERS:
            if names and peer.name not in names:
                continue
            absent = [package for package in [*peer.packages, "strace"] if not is_installed(package)]
            if absent:
                print(f"bench-peers: {peer.name} is left out: not installed: {' '.join(absent)}", file=sys.stderr)
                missing.append(peer.name)
                continue
            try:
                for entries in peer.sizes:
                    for operation in peer.operations:
                        figures.append(measure(bench, peer, operation, entries))
                        print(row(figures[-1]), flush=True)
            except (Failure, OSError, subprocess.SubprocessError) as failure:
                print(f"bench-peers: {peer.name} is left out: {failure}", file=sys.stderr)
                missing.append(peer.name)
        print()
        print(busy())
    finally:
        try:
            bench.end()
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return exit_code(figures, missing)


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    # What runs is ended and the folder removed, whoever stops it.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    command, *names = arguments
    if unknown(names):
        print(f"bench-peers: the tools are: {' '.join(peer.name for peer in PEERS)}", file=sys.stderr)
        return 2
    return compare(os.path.abspath(command), names)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
