// Thumbturn for a host that is not Swift: C, Java, Kotlin, a JavaScript engine. docs/bridge.md has the tour.
//
// A host sees one vault as two things: a value (JSON, all that its screens show) and actions (JSON, what its owner asks).
// Keys, proofs and sessions have no face here. A secret is never in JSON: it travels in buffers of the library's own.
//
// Not here yet: an account (its transport is to be one more call of a host), and an app's own choice of a policy.
//
// Numbers. A handle, a secret and a call are numbers, never addresses: one that was closed, dropped, answered, or made up is
//   refused (TT_HANDLE, TT_SECRET, TT_CALL), and stays refused for the life of the process. 0 is never one.
// Text. UTF-8, with its length in bytes and without a final NUL. What a host gives is copied before the call returns; what a
//   callback gets may be read until the callback returns, and is not freed.
// Threads. Every function may be called from any thread, at any time, also in a callback; none waits for the vault, the device
//   or the owner. All callbacks but `clock` come on one thread of the library's own, one after the other: return soon from
//   them, and do what takes long (a key store, a prompt) elsewhere. `clock` comes on any thread, also on several at once.
// Screens. They run on Swift's main actor. Where the process's main thread does not serve it, the thread of callbacks does, see
//   TT_MAIN_IS_SERVED: who blocks it blocks the screens too.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a function answers. Numbers are added, never changed.
typedef int32_t tt_status;
enum {
    TT_OK = 0,
    TT_HANDLE = 1,         // no such vault: 0, made up, or closed
    TT_ARGUMENT = 2,       // a null pointer, a length out of range, a table of another size, or a number that means nothing
    TT_CONFIGURATION = 3,  // not a configuration
    TT_ACTION = 4,         // not JSON, or longer than TT_ACTION_BYTES
    TT_TICKET = 5,         // 0, one that waits for its answer already, or (tt_cancel) one that waits for none
    TT_CALL = 6,           // nobody waits for this answer: made up, answered before, or too late
    TT_SECRET = 7,         // no such secret: 0 where one is needed, made up, dropped, or given away
    TT_BUFFER = 8,         // the buffer is too small; the count that is needed was written
    TT_FULL = 9,           // too many vaults (1,024), secrets (1,024) or tickets of one vault (64), or no thread
    TT_MAIN = 10,          // another tt_open of this process said otherwise about TT_MAIN_IS_SERVED
    TT_ANSWER = 11         // the answer has not the form of its operation: the call ended as TT_REFUSED_UNCLASSIFIED
};

enum {
    TT_VERSION = 1,                 // of this header; a library refuses tables of a size that it does not know
    TT_CONFIGURATION_BYTES = 4096,  // the longest configuration
    TT_ACTION_BYTES = 4096,         // the longest action
    TT_ANSWER_BYTES = 65536,        // the longest value of tt_answer
    TT_SECRET_BYTES = 4096          // the longest secret
};

// Returns TT_VERSION of the library, which may be newer than that of a host's header.
uint32_t tt_version(void);

// ---- Secrets ----
//
// A secret lies in memory between guard pages, locked where the system allows it, left out of core dumps, wiped at its end.
// Who has its number owns it: drop it (tt_secret_drop), or give it away (tt_send, tt_answer), once. A function that takes a
// secret takes it whatever it answers, so a refused one need not, and can't, be dropped again.

// Makes a secret of `count` zeros (0 to TT_SECRET_BYTES), for the host to fill in place.
// Answers TT_OK, TT_ARGUMENT, TT_FULL.
tt_status tt_secret_make(uint64_t count, uint64_t *secret);

// Lends the memory of a secret: `bytes` may be read and written until it is dropped or given away, and never after.
// In Java: NewDirectByteBuffer over it, never a byte[] or a String, whose copies nobody wipes.
// Answers TT_OK, TT_SECRET, TT_ARGUMENT.
tt_status tt_secret_bytes(uint64_t secret, uint8_t **bytes, uint64_t *count);

// Wipes a secret and frees its memory. Answers TT_OK, TT_SECRET.
tt_status tt_secret_drop(uint64_t secret);

// ---- The device ----
//
// The device is what the host makes of it: a key store, a sensor, a prompt. The library asks by number, and the host answers
// each call once by `tt_answer`, from any thread, when it has the answer.
//   name    of an item, device secret or device key: ASCII of at most 100 bytes, used once
//   access  "deviceOnly"; "currentBiometrySet": any change of the enrolled fingers or faces ends the item;
//           "anyBiometryOrPasscode": ends with the device's passcode
//   absent  means certainly not there. A device that is locked, or not unlocked since its boot, answers every operation but 1 to
//           3 and 17 with TT_REFUSED_UNAVAILABLE: a key taken for absent is made anew, and the former one's vault is lost (A25).
//   bytes   in JSON are lower-case hexadecimal digits
// The library's members stand sorted by name, without spaces. An answer has exactly the members named here, in any order; NULL
// with 0 stands for {}. No device of a host counts wrong PINs itself: a device secret is used for any.

enum {
    // ARGUMENT -> ANSWER; "+ secret" where one goes beside it. `name` stands for "name":TEXT.

    // {} -> {"assurance":{"anyBiometryOrPasscode":A,"currentBiometrySet":A,"deviceOnly":A},"kind":KIND}
    // Asked first, once for a vault. A: "simulated", "softwareFile", "osKeychain", "hardwareBound", read back from the system,
    // never assumed. KIND: "android", "linux", "apple", "simulated"; a vault opens only on the kind that it was made on.
    TT_DEVICE_FACTS = 1,

    // {} -> {"installation":32 digits}
    // A random name of this installation of the app: kept with the app's files, made anew by a reinstall.
    TT_DEVICE_INSTALLATION = 2,

    // {} -> {"assurance":A,"reason":null|R,"sensor":S}
    // R, why it can't be used now: "noHardware", "notEnrolled", "lockedOut", "permissionDenied", "noPasscode",
    // "temporarilyUnavailable". S: "none", "touchID" (a finger), "faceID" (a face). A refusal is temporarilyUnavailable.
    TT_DEVICE_CAPABILITY = 3,

    // {"passcode":BOOL,"prompt":P} -> {}
    // Shows the prompt and says whether it was the owner; `passcode`: whether the device's passcode will do. It releases nothing.
    // P: {"cancel":TEXT,"fallback":TEXT,"reason":TEXT}; an empty `fallback` hides that button.
    TT_DEVICE_PROMPT = 4,

    // {"access":ACCESS,name} + secret -> {}
    // Stores an item, without a prompt. A name that is taken is refused as TT_REFUSED_UNCLASSIFIED, and keeps its item. Read
    // its attributes back: an item that came out weaker is deleted and refused as TT_REFUSED_WEAKER (A32).
    TT_DEVICE_SAVE = 5,

    // {name,"prompt":P} -> {} + secret
    // Reads an item; a guarded one by exactly one prompt, and out of what that prompt released (A29, A30). Device secrets and
    // device keys are absent to it.
    TT_DEVICE_READ = 6,

    // {name} -> {"item":null|{"access":ACCESS,"staysOnDevice":BOOL}}
    // Looks, without a prompt: null for an item, device secret or device key that is absent or revoked. The latter two are "deviceOnly".
    TT_DEVICE_DESCRIBE = 7,

    // {name} -> {}
    // Deletes an item, device secret or device key, in any state, without a prompt; one that is absent is no error.
    TT_DEVICE_DELETE = 8,

    // {name} -> {}
    // Makes a device secret: a key for HMAC-SHA-256 that is used and never read, and outlives enrolment and passcode.
    TT_DEVICE_MAKE_SECRET = 9,

    // {name} + secret -> {} + secret of 32 bytes
    // Computes the HMAC of the given secret, perhaps of no bytes, under a device secret.
    TT_DEVICE_EVALUATE = 10,

    // {name} -> {"publicKey":182 digits}
    // Makes a device key for ECDSA on P-256 with SHA-256. Its public half is SubjectPublicKeyInfo in DER, 91 bytes.
    TT_DEVICE_MAKE_KEY = 11,

    // {name} -> {"publicKey":182 digits}
    TT_DEVICE_PUBLIC_KEY = 12,

    // {"message":DIGITS,name} -> {"signature":DIGITS}
    // Signs the SHA-256 of the message; the signature is DER.
    TT_DEVICE_SIGN = 13,

    // {name} -> {"position":null|48 digits}
    // Reads the anchor of a device secret; null if there certainly is none. The first 16 digits are a number, big-endian, the
    // other 32 a mark. Keep it outside the app's folder, where no backup takes it.
    TT_DEVICE_ANCHOR = 14,

    // {"from":null|48 digits,name,"to":48 digits} -> {"moved":BOOL}
    // Moves an anchor, durably and as one step, if it stands at `from` now (null: there is none) and the number of `to` is higher;
    // without `from` any number will do. false: it stands elsewhere, and nothing changed. TT_REFUSED_UNAVAILABLE: perhaps.
    TT_DEVICE_ANCHOR_MOVE = 15,

    // {name} -> {}
    TT_DEVICE_ANCHOR_REMOVE = 16,

    // {} , and no answer: ends the prompt of an earlier call, whose number this is.
    // That call is then answered as ever, as a rule with TT_REFUSED_CANCELLED_BY_SYSTEM; after 2 s it has ended by itself.
    TT_DEVICE_CANCEL = 17
};
// A call that shows no prompt (all but 4 and 6) ends as TT_REFUSED_UNAVAILABLE after 30 s without an answer.

// Why a call was refused. What no number names is unclassified: the owner is asked for the PIN, and nothing is deleted.
enum {
    TT_REFUSED_NOT = 0,
    TT_REFUSED_CANCELLED_BY_USER = 1,    // dismissed the prompt
    TT_REFUSED_CANCELLED_BY_SYSTEM = 2,  // the background, a call, another prompt, TT_DEVICE_CANCEL
    TT_REFUSED_FALLBACK = 3,             // the owner asked for the PIN or password instead
    TT_REFUSED_NOT_RECOGNISED = 4,       // the prompt ended without a match
    TT_REFUSED_LOCKED_OUT = 5,           // the system locked the sensor
    TT_REFUSED_NOT_ENROLLED = 6,         // no finger or face, or no passcode, to bind to
    TT_REFUSED_REVOKED = 7,              // the item was invalidated, certainly and for good
    TT_REFUSED_READER_FAILED = 8,        // the sensor or its service failed: nothing is known of finger or item
    TT_REFUSED_UNAVAILABLE = 9,          // can't be read now: the device is locked, the key store busy; retried later
    TT_REFUSED_DAMAGED = 10,             // there, but not whole; stays
    TT_REFUSED_HARDWARE_MISSING = 11,    // no such hardware, or this app may not use it
    TT_REFUSED_ABSENT = 12,              // certainly not there
    TT_REFUSED_WEAKER = 13,              // would have been stored with less protection than asked for
    TT_REFUSED_UNCLASSIFIED = 14
};

// One reading of the clocks.
typedef struct tt_clock {
    int64_t wall;      // milliseconds since 1970, UTC; the owner can set it
    int64_t boottime;  // milliseconds since this boot, sleep included: CLOCK_BOOTTIME, SystemClock.elapsedRealtime()
    uint8_t boot[16];  // names this boot: what no other boot had, such as a count and zeros; not known: 16 random bytes each time
} tt_clock;

// What the library asks of a device. Copied by tt_open.
typedef struct tt_device {
    uint64_t size;  // sizeof(tt_device)

    // Reads the clocks, at once. Never waits.
    void (*clock)(void *context, tt_clock *reading);

    // Asks the device of a vault; the first call may come before tt_open has returned. `secret` is a number that the host owns
    // from now on, or 0 where the operation brings none.
    void (*ask)(void *context, uint64_t vault, uint64_t call, uint32_t operation, const uint8_t *json, uint64_t count,
                uint64_t secret);
} tt_device;

// Answers a call.
//   refusal     one of TT_REFUSED_*; with any but TT_REFUSED_NOT, `json` and `secret` are not looked at (but the secret is taken)
//   mismatches  how many fingers or faces failed in this prompt: counted however it ended (C7); 0 without a prompt
//   json        the answer's members; NULL with 0 is {}
//   secret      what was read or computed, or 0; taken whatever this answers
// Answers TT_OK; TT_CALL, also when the call has ended (nothing else happens then); TT_ANSWER; TT_HANDLE. Between tt_close and
// `closed` calls still come, and are answered.
tt_status tt_answer(uint64_t vault, uint64_t call, uint32_t refusal, uint32_t mismatches, const uint8_t *json, uint64_t count,
                    uint64_t secret);

// ---- A vault ----

// What the library tells. Copied by tt_open; each may be NULL but `answered` and `closed`.
typedef struct tt_listener {
    uint64_t size;  // sizeof(tt_listener)

    // The value changed: this is the new one. Those between may be left out, the last never.
    void (*changed)(void *context, const uint8_t *json, uint64_t count);

    // An action has ended: {"error":null} or {"error":{"code":"ERR-…","hint":…,"message":…,"recoverable":…}}.
    // Comes exactly once for each ticket that tt_send took; of those that wait at tt_close, before `closed`.
    void (*answered)(void *context, uint64_t ticket, const uint8_t *json, uint64_t count);

    // The secret that an action gives (a recovery key, an exported wallet), just before its `answered`. It may be read until this
    // returns, and not after. Return TT_OK; with anything else its owner has not seen it, and the action is answered by the error
    // SECRET_NOT_TAKEN. Where this is NULL it is wiped unseen.
    tt_status (*lent)(void *context, uint64_t ticket, const uint8_t *bytes, uint64_t count);

    // The last callback of a vault. The context may be freed in it; the tables' functions are not called any more.
    void (*closed)(void *context);
} tt_listener;

// Flags of tt_open.
enum {
    // This process serves Swift's main actor: its `main` is Swift's `async main`, or runs an Apple run loop (there it is always
    // so). Without the flag, the thread of callbacks serves the main actor from the first tt_open on, for the whole process; so
    // a JVM, an Android app and a C program give none. All vaults of a process give the same.
    TT_MAIN_IS_SERVED = 1
};

// Opens the vault of a folder, or prepares to make one there with its owner. Returns at once; `changed` tells what was found.
//   json     {"home":PATH,"language":"en"|"fr","policy":"wallet"|"pd107","secret":{"kind":"pin"|"password","length":6|null}}.
//            `home` is the app's own folder, which exists and is in no backup; its `vault` belongs to the library.
//   flags    of TT_MAIN_IS_SERVED
//   context  given to every callback of both tables
//   vault    its handle, written before any callback comes
// Answers TT_OK, TT_ARGUMENT, TT_CONFIGURATION, TT_FULL, TT_MAIN. Without TT_OK no callback comes.
tt_status tt_open(const uint8_t *json, uint64_t count, uint32_t flags, const tt_device *device, const tt_listener *listener,
                  void *context, uint64_t *vault);

// Copies the value into a buffer: what `changed` told last, or would have; `null` before the first.
// `count` is set to its length, also with TT_BUFFER; `buffer` may be NULL with `capacity` 0.
// Answers TT_OK, TT_HANDLE, TT_ARGUMENT, TT_BUFFER.
tt_status tt_fields(uint64_t vault, uint8_t *buffer, uint64_t capacity, uint64_t *count);

// Does an action: {"name":NAME,"screen":SCREEN,…} (docs/bridge.md). An action that takes a secret has "secret":"taken".
//   ticket  chosen by the host, not 0; may be used again once it was answered
//   secret  or 0; taken whatever this answers
// Answers TT_OK (and `answered` follows), TT_HANDLE, TT_ARGUMENT, TT_ACTION, TT_TICKET, TT_SECRET, TT_FULL. JSON that is no action
// of a screen is answered by `answered`.
tt_status tt_send(uint64_t vault, uint64_t ticket, const uint8_t *json, uint64_t count, uint64_t secret);

// Gives up an action, and takes away its prompt. It is still answered, as what it came to.
// Answers TT_OK, TT_HANDLE, TT_TICKET.
tt_status tt_cancel(uint64_t vault, uint64_t ticket);

// What happened to the app or the device. Tell it before what the system shows next (the recents screen): the vault covers and
// locks by it.
enum {
    TT_APP_ACTIVE = 1,      // has the screen and receives input
    TT_APP_INACTIVE = 2,    // about to lose it: the app switcher, a dialog of the system
    TT_APP_BACKGROUND = 3,  // not visible any more
    TT_DEVICE_LOCKING = 4,  // locked, put to sleep, or given to another user
    TT_APP_SUSPENDING = 5,  // about to be stopped with its memory as it is
    TT_ENROLMENT = 6        // sensor or enrolled set may have changed
};
// Answers TT_OK, TT_HANDLE, TT_ARGUMENT.
tt_status tt_happen(uint64_t vault, uint32_t event);

// Closes a vault: locks it, and makes the handle one that was. Returns at once; the tickets that wait are answered, prompts end,
// what is half written is finished (so the device is still asked), and `closed` comes last.
// Answers TT_OK, TT_HANDLE.
tt_status tt_close(uint64_t vault);

#ifdef __cplusplus
}
#endif
