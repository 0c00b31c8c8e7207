#!/usr/bin/env python3
"""Opens a backup with its recovery key. Written from docs/formats.md alone: it shares no code with Thumbturn.

usage: open_backup.py [--json] FILE   a backup, or a vault's vault.sqlite with its -wal beside it

Asks for the recovery key on a terminal, else takes the first line of standard input. Prints NAME<TAB>SECRET for each wallet,
or one object with --json, as `thumbturn wallet export --all` does. Needs Python 3.9, the package `cryptography`, and
bip39-english.txt beside this file; Argon2 is for PINs, which open no backup.

exit codes: 0 all of it opens, 1 another recovery key, or none, 2 usage, 3 can't be read, 4 damaged: what is whole is printed
"""

import base64, getpass, hashlib, hmac, io, json, pathlib, re, sqlite3, sys
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

TABLES = {"head": "id body mac", "slot": "id record", "slot_copy": "id record digest", "wallet": "id tag label secret",
          "wallet_index": "id digests", "attempt_ledger": "id body mac", "leftover": "item tag", "offline_login": "id box",
          "contact_key": "id box", "event": "number box", "trail": "id body mac",
          "trail_log": "id body mac"}
# Forms of fields: width, least and greatest of a number; a count of bytes; or other fields, where =1 is that byte, ?x may be
# absent, *x are several, and text9 and bytes9 have at most 9 bytes.
FORMS = {
    "flag": (1, 0, 1), "device": (1, 0, 3), "assurance": (1, 0, 3), "kind": (1, 1, 5), "group": (1, 1, 3),
    "slots": (1, 0, 8), "u8": (1, 0, 255), "u32": (4, 0, 2**32), "u64": (8, 0, 2**64), "span": (8, 0, 2**63 - 1),
    "id": 16, "hash": 32,
    "head": "=1 id id device span id u64 policy *slot u32 hash ?migration ?account ?policy ?hash",
    "policy": "flag span flag ?span ?span flag u32 flag assurance ?span flag flag ?assurance flag flag",
    "slot": "id kind hash ?assurance",
    "account": "text4096 text4096 ?text4096 ?text4096 text4096 id id text128 group u32 u32 hash",
    "record": "bytes1024 bytes128",
    "recovery": "=1 =1 text32 id id =3 device id span =0 id =0 =0 u64",
    "label": "=1 u8 u64 text256",
}
KINDS = {1: "mnemonic", 2: "privateKey", 3: "opaque"}
DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
WORDS = pathlib.Path(__file__).with_name("bip39-english.txt").read_bytes()  # english.txt of BIP-39
WORDS_DIGEST = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
worst = 0


def complain(code, what):
    """Says what is wrong; the program ends with the greatest code."""
    global worst
    worst = max(worst, code)
    print(f"open_backup: {what}", file=sys.stderr)


def stop(code, what):
    complain(code, what)
    sys.exit(worst)


def require(holds):
    if not holds: raise ValueError("malformed")


def sha(data): return hashlib.sha256(data).digest()
def mac(key, data): return hmac.digest(key, data, "sha256")


def derive(key, salt, purpose, context=b""):
    return HKDF(SHA256(), 32, salt, b"thumbturn.v1." + purpose + (b"\0" + context if context else b"")).derive(key)


def unseal(key, box, associated):
    require(len(box) >= 28)
    return AESGCM(key).decrypt(box[:12], box[12:], associated)


def parse(data, name):
    """Reads bytes that are this field, and nothing more."""
    stream = io.BytesIO(data)

    def take(count):
        taken = stream.read(count)
        require(len(taken) == count)
        return taken

    def read(name):
        if name[0] == "?": return read(name[1:]) if read("flag") else None
        if name[0] == "*": return [read(name[1:]) for _ in range(read(name[1:] + "s"))]
        if name[0] == "=": return require(read("u8") == int(name[1:]))
        if name == "migration": return take({1: 64, 2: 32}.get(read("u8"), 2**32))
        if bounded := re.fullmatch(r"(text|bytes)(\d+)", name):
            require((count := read("u32")) <= int(bounded[2]))
            return take(count).decode() if bounded[1] == "text" else take(count)
        form = FORMS[name]
        if isinstance(form, str): return [read(part) for part in form.split()]
        if isinstance(form, int): return take(form)
        number = int.from_bytes(take(form[0]), "big")
        require(form[1] <= number <= form[2])
        return number

    value = read(name)
    require(not stream.read(1))
    return value


def read_rows(path):
    """Returns the rows of each table, all values as bytes."""
    log = path.with_name(path.name + "-wal")
    # Without a log `immutable` keeps SQLite from making files, and from failing where it can't.
    mode = "?mode=ro" if log.exists() and log.stat().st_size else "?mode=ro&immutable=1"
    database = sqlite3.connect(path.resolve().as_uri() + mode, uri=True)
    database.text_factory = lambda text: text.decode(errors="replace")
    ask = lambda text: database.execute(text).fetchall()
    (application,), (version,) = ask("PRAGMA application_id")[0], ask("PRAGMA user_version")[0]
    if application != 0x54425631 or version < 1: stop(4, "this is no backup")
    if version > 1: stop(3, f"the backup has format {version}, this program knows 1")
    names = [name for kind, name in ask("SELECT type, name FROM sqlite_master") if kind != "index"]
    if {name: " ".join(column[1] for column in ask(f'PRAGMA table_info("{name}")')) for name in names} != TABLES:
        stop(4, "this is no backup: its tables are others")
    if ask("PRAGMA integrity_check") != [("ok",)]: complain(4, "the database is damaged")
    return {table: ask("SELECT " + ", ".join(f"ifnull(CAST({column} AS BLOB), x'')" for column in columns.split())
                       + f" FROM {table}") for table, columns in TABLES.items()}


def read_key():
    try:
        typed = getpass.getpass("Recovery key: ") if sys.stdin.isatty() else sys.stdin.readline()
    except (EOFError, KeyboardInterrupt):
        stop(1, "cancelled")
    except ValueError:
        typed = ""  # no text
    typed = re.sub(r"[\s-]", "", typed).upper().translate(str.maketrans("OIL", "011"))
    if len(typed) != 56 or not set(typed) <= set(DIGITS): stop(2, "this is not a recovery key")
    number = sum(DIGITS.index(digit) << 5 * place for place, digit in enumerate(reversed(typed)))
    key = (number >> 24).to_bytes(32, "big")
    if number & 0xFFFFFF != int.from_bytes(sha(b"thumbturn.recovery.v1" + key)[:3], "big") >> 4:
        stop(2, "the recovery key has a typing mistake")
    return key


def open_slot(rows, digests, key):
    """Returns the vault, the master key's id and the device that a recovery slot names, and the master key in it."""
    is_refused = False
    for slot, record in [row[:2] for row in rows["slot"] + rows["slot_copy"]]:
        try:
            header, box = parse(record, "record")
            _, _, purpose, vault, name, _, device, key_id, _, _, salt, *_ = parse(header, "recovery")
            require(purpose == "rec-slot" and name == slot and len(box) == 60)
            return [vault, key_id, device], unseal(derive(key, salt, b"rec-slot"), box, header)
        except InvalidTag:
            is_refused |= sha(record) in digests
        except ValueError:
            pass  # of another kind, or damaged, which its digest tells
    stop(*((1, "this is not the recovery key of this backup") if is_refused else (4, "no recovery slot is whole")))


def fold(name):
    name = name.translate({0x212A: "K", 0x37E: ";", 0x1FEF: "`"})
    return name.encode() if name.isascii() else b"\xff" + re.sub(r"[^\x00-\x7f]|[A-Za-z;<=>`]", "", name).encode()


def written(kind, secret):
    """Returns the secret in the form in which it is exported."""
    if kind == 1:
        require(len(secret) in (16, 20, 24, 28, 32))
        bits = "".join(f"{byte:08b}" for byte in secret + sha(secret))[:len(secret) * 33 // 4]
        return b" ".join(WORDS.split()[int(bits[at:at + 11], 2)] for at in range(0, len(bits), 11))
    require(1 <= len(secret) <= 2**20 and (kind == 3 or len(secret) == 32 and any(secret)))
    return secret.hex().encode() if kind == 2 else secret


def open_wallet(wallet, tag, label, secret, vault, master):
    """Returns name, kind, id and secret; where the label does not open, the id is the name."""
    prefix, kinds, name = b"\1\1" + vault + wallet, KINDS, wallet.hex()
    try:
        require(len(wallet) == 16 and len(label) <= 512)
        _, kind, _, name = parse(unseal(derive(master, None, b"wallet-label", vault), label, prefix + b"\0"), "label")
        kinds = [kind]
        require(kind in KINDS and name and tag == mac(derive(master, None, b"wallet-tag", vault), fold(name))[:16])
    except (ValueError, InvalidTag):
        complain(4, f"the label of wallet {wallet.hex()} is damaged")
    for kind in kinds:
        try:
            require(secret[:34] == prefix and len(secret) <= 2**20 + 256)
            key = derive(master, secret[34:66], b"wallet-key", prefix)
            return name, KINDS[kind], wallet.hex(), written(kind, unseal(key, secret[66:], prefix + bytes([kind])))
        except (ValueError, InvalidTag):
            pass
    complain(4, f"the secret of wallet {wallet.hex()} is damaged")


def open_all(rows, key):
    """Returns the wallets that open, by name, and complains of all that is not as it was written."""
    body, stored = (rows["head"] or [(b"", b"", b"")])[0][1:]
    names, slots, count, index = None, [], None, None
    try:
        _, *names, _, _, _, _, slots, count, index, _, _, _, _ = parse(body, "head")
    except ValueError:
        pass  # no names agree
    digests = {slot: digest for slot, kind, digest, assurance in slots if (assurance is None) == (kind == 3)}
    named, master = open_slot(rows, {*digests.values(), *(row[2] for row in rows["slot_copy"])}, key)
    vault = named[0]
    if names != named or stored != mac(derive(master, None, b"manifest", vault), b"thumbturn.v1.head" + body):
        complain(4, "the head is damaged")
    copies = {slot: digest for slot, record, digest in rows["slot_copy"] if digest == sha(record)}
    if not {slot: sha(record) for slot, record in rows["slot"]} == copies == digests: complain(4, "a slot is damaged")
    leaves = sorted((tag, name, sha(name + tag + sha(label) + sha(secret))) for name, tag, label, secret in rows["wallet"])
    buckets = b"".join(sha(b"".join(leaf for tag, _, leaf in leaves if tag and tag[0] >> 2 == n)) for n in range(64))
    if (count, index) != (len(leaves), sha(b"thumbturn.v1.wallet-index" + buckets)):
        complain(4, "wallets are damaged, missing, or not this vault's")
    if [row[1] for row in rows["wallet_index"]] != [buckets]: complain(4, "the wallets' index is damaged")
    return sorted(filter(None, (open_wallet(*row, vault, master) for row in rows["wallet"])))


def show(wallets, as_json):
    listed = []
    for name, kind, wallet, secret in wallets:
        try:
            encoding, text = "utf-8", secret.decode()
        except ValueError:
            encoding, text = "base64", base64.b64encode(secret).decode()
        listed.append({"name": name, "kind": kind, "id": wallet, "encoding": encoding, "secret": text})
        if as_json: continue
        if encoding == "utf-8" and not re.search(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]", text):
            sys.stdout.buffer.write(f"{name}\t{text}\n".encode())
        else:
            complain(2, f"{name} has line breaks or control characters: use --json")
    if as_json: print(json.dumps({"wallets": listed}))


def main(words):
    files = [word for word in words if word != "--json"]
    if len(files) != 1 or files[0].startswith("-"): stop(2, "usage: open_backup.py [--json] FILE")
    if sha(WORDS).hex() != WORDS_DIGEST: stop(2, "bip39-english.txt is not BIP-39's list")
    try:
        rows = read_rows(pathlib.Path(files[0]))
    except (OSError, sqlite3.OperationalError) as error:
        stop(3, f"{files[0]} can't be read: {error}")
    except (sqlite3.DatabaseError, ValueError) as error:  # where a message is no text, the latter
        stop(4, f"{files[0]} is damaged, or no backup: {error}")
    show(open_all(rows, read_key()), "--json" in words)
    sys.exit(worst)


if __name__ == "__main__": main(sys.argv[1:])
