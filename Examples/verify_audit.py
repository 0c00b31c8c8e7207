#!/usr/bin/env python3
"""Verifies the export of a Thumbturn device's trail or of a service's log; written from docs/audit-format.md alone.
usage: verify_audit.py FILE [--key PEM]...
exit:  0 it holds; 4 it doesn't, and the first record or leaf that is broken is named; 2 it is no export; 3 it can't be read
needs: Python 3.8, and its package `cryptography` (Debian: python3-cryptography).
"""
import argparse, base64, collections, datetime, functools, hashlib, json, re, sys
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization as codec
from cryptography.hazmat.primitives.asymmetric import ec
LIMIT, LOG_LIMIT, RECORD_LIMIT, NOTE_LIMIT = 4107, 16384, 4096, 8192  # bytes of lines, of a record and of a note
SPKI = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
TYPES = """BIOMETRIC_ENABLED BIOMETRIC_DISABLED BIOMETRIC_AUTH_SUCCESS BIOMETRIC_AUTH_FAILURE BIOMETRIC_REVOKED_SYSTEM_CHANGE
    PASSWORD_AUTH_FALLBACK PASSWORD_AUTH_FAILURE VAULT_CREATED LOCAL_SECRET_CHANGED RECOVERY_CHANGED WALLET_EXPORTED
    WALLET_DELETED LEDGER_UNRELIABLE VAULT_TAMPERED VAULT_RESET SYSTEM_AUTH_ENABLED SYSTEM_AUTH_DISABLED SYSTEM_AUTH_SUCCESS
    SYSTEM_AUTH_FAILURE MIGRATION_BEGAN MIGRATION_COMPLETED LEGACY_ERASED OLDER_COPY_FOUND OLDER_COPY_ACCEPTED VAULT_REKEYED
    POLICY_CHANGED TRAIL_BEGUN""".split()
class Broken(Exception): pass
def ask(holds, what):
    if not holds: raise Broken(what)
# The forms of the page: each says whether a value has it, or raises ValueError. A bool is no number, though it is an int.
def text(pattern): return lambda value: type(value) is str and re.fullmatch(pattern, value) is not None
def number(least=0, most=2**53 - 1): return lambda value: type(value) is int and least <= value <= most
def just(*values): return lambda value: any(type(value) is type(one) and value == one for one in values)
def code(value): return base64.b64encode(value).decode()
def unbase64(value):
    if code(found := base64.b64decode(value, validate=True)) != value: raise ValueError("a bit that is not used, or a space")
    return found
def coded(form): return lambda value: type(value) is str and form(unbase64(value))
def time(value):
    if not text(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")(value): return False
    year, *rest = map(int, re.findall("[0-9]+", value))
    return bool(datetime.datetime(year or 400, *rest))  # its years begin with 1; 400 is as long as 0
def spki(value): return len(value) == 91 and value.startswith(SPKI) and bool(codec.load_der_public_key(value))
def payload(value):
    return (fits(PAYLOAD, value) and ("count" in value) == ("until" in value)
            and ("formerHash" in value) == ("formerSeq" in value) <= ("formerEpoch" in value))
def each(names, form): return dict.fromkeys(names.split(), form)
FORMS = {
    **each("at sentAt tsClient tsServer until", time), **each("deviceId epoch formerEpoch", text("[0-9a-f]{32}")),
    **each("bodySha256 formerHash formerRoot hash headHash prevHash publicKeySha256", text("[0-9a-f]{64}")),
    **each("firstSeq formerSeq formerSize from index lastSeq policyEpoch seq to unlockDurationMs", number()),
    **each("code reason userId", text("[A-Za-z0-9._-]{1,64}")), **each("id keyId signatureKeyId", text("[0-9a-f]{8}")),
    **each("formerOrigin origin", text("[!-*,-~]{1,512}")), "publicKey": coded(spki), "signature": coded(lambda value: True),
    "eventId": text("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"), "eventType": just(*TYPES),
    "attemptCount": number(0, 2**32 - 1), "biometryType": just("NONE", "TOUCH_ID", "FACE_ID"), "count": number(2, 2**32 - 1),
    "algorithm": just("ecdsa-p256-sha256"), "format": just("thumbturn.audit.export"), "storyId": just("PD-107"),
    "nonce": coded(lambda value: len(value) == 16), "payload": payload, **each("v version", just(1))}
def form(names, **others): return {**{name: FORMS[name.rstrip("?")] for name in names.split()}, **others}
HEADER, DEVICE = form("format origin to version", **{"from": just(0)}), form("algorithm deviceId epoch publicKey")
PAYLOAD = form("attemptCount biometryType? count? formerEpoch? formerHash? formerSeq? reason? unlockDurationMs? until?")
RECORD = form("deviceId epoch eventId eventType payload seq storyId tsClient userId? v", integrity=form("hash prevHash"))
VIEW = form("index", record={**RECORD, "tsServer": time, "integrity": form("hash prevHash signature signatureKeyId")})
HEAD, KEY = form("at deviceId epoch headHash nonce seq signature"), form("algorithm from id publicKey")
UPLOAD = form("deviceId epoch firstSeq headHash lastSeq nonce sentAt signature")
ENTRIES = {"DEVICE_ENROLLED": "deviceId publicKeySha256 userId", "DEVICE_REVOKED": "deviceId userId",
           "PASSWORD_CHANGED": "policyEpoch userId", "CHAIN_FORK": "bodySha256 deviceId epoch seq userId",
           "REJECTED": "bodySha256 code deviceId userId", "KEY_ROTATED": "keyId publicKeySha256",
           "LOG_RESTORED": "formerOrigin formerRoot formerSize"}
def entry(value):
    kind = type(value) is dict and FORMS["epoch"](value.get("userId", "0" * 32)) and value.get("entryType")
    return just(*ENTRIES)(kind) and fits(form(ENTRIES[kind] + " tsServer v", entryType=just(kind)), value)
ENTRY = form("index", entry=entry)
def fits(form, value):
    if callable(form): return form(value)
    names = {name.rstrip("?"): name for name in form}
    return type(value) is dict and value.keys() <= names.keys() and all(
        fits(form[name], value[short]) if short in value else name.endswith("?") for short, name in names.items())
def jcs(value): return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
def digest(*parts): return hashlib.sha256(b"".join(parts)).digest()
def sha256(*parts): return digest(*parts).hex()
def content(line, form, name=None):  # nothing for a line of another form: a name twice or a space doesn't survive `jcs`
    try:
        value = json.loads(line)
        if fits({name: form} if name else form, value) and jcs(value) == line: return value[name] if name else value
    except (ValueError, RecursionError): pass  # no JSON, UTF-8, base64, date or key
def follow(file, limit, place):  # the next line without its newline; nothing for one that is too long
    line = file.readline(limit + 1)
    ask(line.endswith(b"\n") or len(line) > limit, f"{place}: the file is cut off there")
    return line[:-1] if line.endswith(b"\n") else b""
def holds(key, signature, message):
    try: return codec.load_der_public_key(key).verify(signature, message, ec.ECDSA(hashes.SHA256())) is None
    except InvalidSignature: return False
class Chain:
    def __init__(self, device):
        self.id, self.key, self.next = (device["deviceId"], device["epoch"]), unbase64(device["publicKey"]), 0
        members = {"deviceId": self.id[0], "devicePublicKeySha256": sha256(self.key), "epoch": self.id[1]}
        self.link = sha256(b"thumbturn.audit.genesis.v1\n", jcs(members))
    def take(self, record, claimed, place=None):
        n, seq, at = self.next, record["seq"], place or f"record {self.next}"
        ask((record["deviceId"], record["epoch"]) == self.id and seq <= n, f"{at}: missing, or not there; {seq} follows")
        ask(seq == n, f"{place or f'record {seq}'}: {seq} comes again, where {n} should")
        ask(record["integrity"]["prevHash"] == self.link, f"{at}: it doesn't continue the one before it")
        self.next, self.link = n + 1, claimed
def hashed(record, place):
    claimed = record["integrity"].pop("hash")
    ask(sha256(b"thumbturn.audit.event.v1\n", jcs(record)) == claimed, f"{place}: its content was changed")
    return claimed
def grown(peaks, size, leaf):  # a tree of RFC 6962 by the roots of its complete parts, and one leaf more
    node = digest(b"\0", leaf)
    while size & 1: node, size, peaks = digest(b"\1", peaks[-1], node), size >> 1, peaks[:-1]
    return peaks + (node,)
def root_of(peaks): return functools.reduce(lambda right, left: digest(b"\1", left, right), reversed(peaks or (digest(),)))
NOTE = re.compile("(([!-*,-~]{1,512})\n(0|[1-9][0-9]{0,19})\n(.{43}=)\n)\n((?:— [^\\s+\0-\x20\x7f]+ [^ \n]+\n){1,16})")
def note(value):  # the text, origin, size, root and own signatures of a signed head
    found = type(value) is str and len(value.encode()) <= NOTE_LIMIT and NOTE.fullmatch(value)
    lines = [(name, unbase64(line)) for name, line in re.findall("— ([^ ]+) (.+)\n", found[5])] if found else []
    if found and int(found[3]) < 2**53 and len({(name, line[:4]) for name, line in lines if len(line) > 4}) == len(lines):
        own = {line[:4].hex(): line[4:] for name, line in lines if name == found[2]}
        return found[1].encode(), found[2], int(found[3]), unbase64(found[4]), own
def verify(file, keys):
    header = content(file.readline(LIMIT + 1).rpartition(b"\n")[0], HEADER, "header")
    if header is None or header["origin"] == "device" and header["to"] < 1: raise ValueError("this is no export in version 1")
    tally, *lines = (verify_trail if header["origin"] == "device" else verify_log)(file, header, keys)
    ask(not file.read(1), "something follows the last line")
    print(*lines, *(f"{events:8} {name}" for name, events in sorted(tally.items())), sep="\n")
def verify_trail(file, header, keys):
    ask(device := content(follow(file, LIMIT, "record 0"), DEVICE, "device"), "the second line is no device's")
    chain, tally, times, n = Chain(device), collections.Counter(), [], 0
    ask(not keys or chain.key in keys, f"the key is none of those given: {sha256(chain.key)}")
    while not (line := follow(file, LIMIT, f"record {n}")).startswith(b'{"head":'):
        isRecord = line.startswith(b'{"record":') and line.endswith(b"}")
        ask(n < header["to"], f"record {n}: the header doesn't count it" if isRecord else "the last line is no head")
        ask(record := content(line, RECORD, "record"), f"record {n}: it is malformed")
        chain.take(record, hashed(record, f"record {n}"))
        n, times = n + 1, times[:1] + [record["tsClient"]]
        tally[record["eventType"]] += record["payload"].get("count", 1)
    ask((head := content(line, HEAD, "head")) and (head["deviceId"], head["epoch"]) == chain.id, "the last line is no head")
    ask(head["seq"] < n, f"record {n}: missing at the end, up to {head['seq']}")
    ask((header["to"], head["seq"], head["headHash"]) == (n, n - 1, chain.link), f"the last record, {n - 1}, isn't its own")
    signature, label = unbase64(head.pop("signature")), b"thumbturn.audit.export.v1\n"
    ask(holds(chain.key, signature, label + jcs({"head": head, "header": header})), "the signature isn't this device's")
    return (tally, f"it holds: {n} records of device {chain.id[0]}, epoch {chain.id[1]}, exported {head['at']}",
            f"from {times[0]} to {times[-1]}; key: {sha256(chain.key)} {'as given' if keys else 'not given: compare it'}")
def verify_log(file, header, given):
    def need(holds, what, place=None): ask(holds, f"leaf {n if place is None else place}: {what}")
    def following(): return follow(file, LOG_LIMIT, f"leaf {n}")
    to, n, start, tree, now, fell, keys, last, signed = header["to"], 0, 0, (), "", None, {}, (0, ""), set()
    chains, due, came, claims, forks, told, named, tally = {}, None, None, {}, set(), {}, set(), collections.Counter()
    while (line := following()).startswith(b'{"key":'):
        ask(key := content(line, KEY, "key"), "a key is malformed")
        name, public, place = key["id"], unbase64(key["publicKey"]), (key["from"], key["id"])
        ask(sha256(public)[:8] == name not in keys and place > last and len(keys) < 256, "a key is malformed, or misplaced")
        last, keys[name] = place, (public, key["from"])
    first = [key for key in keys if keys[key][1] == min(size for _, size in keys.values())]
    trusted = {key for key in keys if keys[key][0] in given} if given else {*first}
    ask(trusted & {*first}, f"the first key is missing, or none of those given: {[sha256(keys[key][0]) for key in first]}")
    while True:
        kind = (re.match(rb'\{"(checkpoint|device|entry|index|upload)":', line) or {1: b""})[1].decode()
        need(kind, "it is malformed")
        if kind in ("checkpoint", "device", "entry"):
            need(not came, "its upload is missing", came and came[1])
            need(not due, "the first record of its device is missing")
        need(n < to or kind in ("checkpoint", "upload"), "the header doesn't count it")
        if kind == "device":
            device = content(line, DEVICE, "device")
            need(device and (device["deviceId"], device["epoch"]) not in chains, "its device is malformed, or comes again")
            due = chains[device["deviceId"], device["epoch"]] = Chain(device)
        elif kind in ("entry", "index"):
            need(leaf := content(line, ENTRY if kind == "entry" else VIEW), "it is malformed")
            it = leaf.get("entry") or leaf["record"]
            name, integrity, place = (it.get("deviceId"), it.get("epoch")), it.get("integrity", {}), f"leaf {n}"
            claim = integrity.pop("signatureKeyId", None), integrity.pop("signature", None)
            tree = grown(tree, n, jcs(it))
            fell, now = n if fell is None and it["tsServer"] < now else fell, it.pop("tsServer")
            need(leaf["index"] == n and len(jcs(it)) <= RECORD_LIMIT, f"missing, or too long; {leaf['index']} stands there")
            if integrity:
                claimed = hashed(it, place)
                need(not came or came[0].id == name, "its upload is missing", came and came[1])
                need((not due or due.id == name) and name in chains and name not in forks, "its chain isn't begun, or forked")
                chains[name].take(it, claimed, place)
                due, came, _ = None, came or (chains[name], n, it["seq"]), claims.setdefault(claim, n)
            elif it["entryType"] == "CHAIN_FORK": forks.add(name)
            elif it["entryType"] == "KEY_ROTATED": told[it["publicKeySha256"]] = it["keyId"]
            tally[it.get("entryType") or it["eventType"]] += it.get("payload", {}).get("count", 1)
            n += 1
        elif kind == "upload":
            need(came, "an upload stands there that brought nothing")
            (chain, first, seq), upload, came = came, content(line, UPLOAD, "upload"), None
            need(upload, "its upload is malformed", first)
            signature, end = unbase64(upload.pop("signature")), (*chain.id, chain.next - 1, chain.link)
            need(tuple(upload[name] for name in ("deviceId", "epoch", "lastSeq", "headHash")) == end
                 and upload["firstSeq"] <= seq and chain.next - upload["firstSeq"] <= 256, "its upload is another's", first)
            message = b"thumbturn.audit.upload.v1\n" + jcs({**upload, "origin": header["origin"]})
            need(holds(chain.key, signature, message), "the signature of its upload isn't the device's", first)
        else:
            head = content(line, {"checkpoint": note})
            message, name, size, root, own = note(head["checkpoint"]) if head else (b"", "", 0, b"", {})
            signers, named = [key for key in own if key in keys], named | {*told.values()}
            need(name == header["origin"], "its checkpoint is malformed, or another log's", start)
            need(size <= n, f"missing, up to {size - 1}")
            need(size == n and (size > start or to == 0), "its checkpoint is another's", start)
            ask(not named.intersection(own) - keys.keys(), "the line of a key that signs is missing")
            need(signers and all(holds(keys[key][0], own[key], message) for key in signers), "it isn't signed", start)
            ask(all(key in signed or keys[key][1] == size for key in signers), "a key signs first elsewhere than it says")
            ask(trusted.intersection(signers), f"no trusted key vouches for {sha256(keys[signers[0]][0])}")
            need(root == root_of(tree), f"it was changed, or one of those up to {n - 1}", start)
            claim = signers[0], code(own[signers[0]])
            for other, first in claims.items(): need(other == claim, "its signature is not its checkpoint's", first)
            need(fell is None, "the service's time fell back", fell)
            signed, trusted = signed | {*signers}, trusted | {key for key in keys if sha256(keys[key][0]) in told}
            start, claims, told = n, {}, {}
            if n == to: break
        line = following()
    ask(trusted & signed == keys.keys(), "a key signs nothing, or no trusted key vouches for it")
    return (tally, f"it holds: {n} leaves of {header['origin']}, {len(chains)} chains, root {root_of(tree).hex()}", *(
        f"key: {sha256(key)} {'as given, or vouched for' if given else 'not given: compare it'}" for key, _ in keys.values()))
if __name__ == "__main__":
    arguments = argparse.ArgumentParser(usage="verify_audit.py FILE [--key PEM]...")
    arguments.add_argument("file")
    arguments.add_argument("--key", action="append", default=[])
    given, codes = arguments.parse_args(), {Broken: 4, ValueError: 2, OSError: 3}
    try:
        pem = [key for path in given.key for key in re.split(b"(?=-----BEGIN)", open(path, "rb").read())[1:] or [b""]]
        spelled = codec.Encoding.DER, codec.PublicFormat.SubjectPublicKeyInfo
        keys = [codec.load_pem_public_key(key).public_bytes(*spelled) for key in pem]
        with open(given.file, "rb") as file: verify(file, keys)
    except tuple(codes) as error:
        print(error, file=sys.stderr)
        sys.exit(next(code for kind, code in codes.items() if isinstance(error, kind)))
