#include "device.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ITEMS = 256 };
static struct item {
    char name[102], position[49];  // an anchor lies beside its secret, under a name that begins with '@'
    uint8_t bytes[64];
    uint64_t count;
    EVP_PKEY *key;  // of a device key
} items[ITEMS];

static const char facts[] = "{\"assurance\":{\"anyBiometryOrPasscode\":\"softwareFile\",\"currentBiometrySet\":\"softwareFile\","
                            "\"deviceOnly\":\"softwareFile\"},\"kind\":\"simulated\"}";

// Copies the text of a member; what has no text leaves it empty. The library's JSON has no spaces.
static void text(const char *json, const char *member, char *to, int size) {
    char start[32], *found;
    snprintf(start, sizeof start, "\"%s\":\"", member);
    *to = 0;
    if ((found = strstr(json, start))) snprintf(to, size, "%.*s", (int)strcspn(found + strlen(start), "\""), found + strlen(start));
}

static struct item *find(const char *name) {
    for (int i = 0; i < ITEMS; i++)
        if (!strcmp(items[i].name, name)) return &items[i];
    return NULL;
}

// Evaluates `input` under an item: a secret that the library takes.
static uint64_t evaluate(const struct item *item, const uint8_t *input, uint64_t count) {
    uint64_t made = 0, size;
    uint8_t *bytes;
    if (tt_secret_make(32, &made) || tt_secret_bytes(made, &bytes, &size)) return 0;
    HMAC(EVP_sha256(), item->bytes, (int)item->count, input, count, bytes, NULL);
    return made;
}

static uint64_t copy(const struct item *item) {
    uint64_t made = 0, size;
    uint8_t *bytes;
    if (tt_secret_make(item->count, &made) || tt_secret_bytes(made, &bytes, &size)) return 0;
    memcpy(bytes, item->bytes, size);
    return made;
}

// Writes {"member":"hexadecimal digits"}.
static void hexadecimal(char *answer, const char *member, const uint8_t *bytes, int count) {
    answer += sprintf(answer, "{\"%s\":\"", member);
    for (int i = 0; i < count; i++) answer += sprintf(answer, "%02x", bytes[i]);
    strcpy(answer, "\"}");
}

static void tell_public_key(char *answer, const struct item *item) {
    uint8_t *der = NULL;
    int count = i2d_PUBKEY(item->key, &der);
    hexadecimal(answer, "publicKey", der, count);
    OPENSSL_free(der);
}

static void sign(char *answer, const struct item *item, const char *digits) {
    uint8_t message[2048], signature[80];
    size_t count = 0, size = sizeof signature;
    while (count < sizeof message && sscanf(digits + 2 * count, "%2hhx", &message[count]) == 1) count++;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, item->key) <= 0 || EVP_DigestSign(context, signature, &size, message, count) <= 0)
        size = 0;
    EVP_MD_CTX_free(context);
    hexadecimal(answer, "signature", signature, (int)size);
}

static void ask(void *context, uint64_t vault, uint64_t call, uint32_t operation, const uint8_t *json, uint64_t count,
                uint64_t secret) {
    static char asked[8192], message[4097];  // all calls come on one thread
    char name[102] = "@", from[49], to[49], answer[512] = "{}";
    uint8_t *bytes = NULL;
    uint64_t size = 0, given = 0;
    uint32_t refusal = TT_REFUSED_NOT;
    (void)context;
    snprintf(asked, sizeof asked, "%.*s", (int)count, (const char *)json);
    int is_anchor = operation >= TT_DEVICE_ANCHOR && operation <= TT_DEVICE_ANCHOR_REMOVE;
    text(asked, "name", name + is_anchor, 101), text(asked, "message", message, sizeof message), text(asked, "from", from, 49), text(asked, "to", to, 49);
    struct item *item = find(name), *new = find("");
    tt_secret_bytes(secret, &bytes, &size);

    switch (operation) {
    case TT_DEVICE_FACTS: strcpy(answer, facts); break;
    case TT_DEVICE_INSTALLATION: strcpy(answer, "{\"installation\":\"00112233445566778899aabbccddeeff\"}"); break;
    case TT_DEVICE_CAPABILITY: strcpy(answer, "{\"assurance\":\"softwareFile\",\"reason\":\"noHardware\",\"sensor\":\"none\"}"); break;
    case TT_DEVICE_SAVE:
    case TT_DEVICE_MAKE_SECRET:
        if (item || !new || size > sizeof new->bytes) { refusal = item ? TT_REFUSED_UNCLASSIFIED : TT_REFUSED_UNAVAILABLE; break; }
        strcpy(new->name, name);
        if (bytes) memcpy(new->bytes, bytes, new->count = size);
        else RAND_bytes(new->bytes, (int)(new->count = 32));
        break;
    case TT_DEVICE_MAKE_KEY:
        if (item || !new) { refusal = TT_REFUSED_UNCLASSIFIED; break; }
        strcpy(new->name, name), new->key = EVP_EC_gen("P-256"), tell_public_key(answer, new);
        break;
    case TT_DEVICE_PUBLIC_KEY:
    case TT_DEVICE_SIGN:
        if (!item || !item->key) refusal = TT_REFUSED_ABSENT;
        else if (operation == TT_DEVICE_SIGN) sign(answer, item, message);
        else tell_public_key(answer, item);
        break;
    case TT_DEVICE_READ: if (item) given = copy(item); else refusal = TT_REFUSED_ABSENT; break;
    case TT_DEVICE_EVALUATE: if (item) given = evaluate(item, bytes, size); else refusal = TT_REFUSED_ABSENT; break;
    case TT_DEVICE_DESCRIBE:
        strcpy(answer, item ? "{\"item\":{\"access\":\"deviceOnly\",\"staysOnDevice\":true}}" : "{\"item\":null}");
        break;
    case TT_DEVICE_DELETE:
    case TT_DEVICE_ANCHOR_REMOVE: if (item) EVP_PKEY_free(item->key), memset(item, 0, sizeof *item); break;
    case TT_DEVICE_ANCHOR: snprintf(answer, sizeof answer, item ? "{\"position\":\"%s\"}" : "{\"position\":null}", item ? item->position : ""); break;
    case TT_DEVICE_ANCHOR_MOVE: {
        int may_move = item ? !strcmp(item->position, from) && strncmp(from, to, 16) < 0 : !*from && new;
        if (may_move) item = item ? item : strcpy(new->name, name) ? new : NULL, strcpy(item->position, to);
        snprintf(answer, sizeof answer, "{\"moved\":%s}", may_move ? "true" : "false");
        break;
    }
    default: refusal = TT_REFUSED_HARDWARE_MISSING;  // no sensor and no prompt
    }
    if (secret) tt_secret_drop(secret);
    tt_answer(vault, call, refusal, 0, (const uint8_t *)answer, strlen(answer), given);
}

static void read_clock(void *context, tt_clock *clock) {
    struct timespec wall, boot;
    (void)context;
    clock_gettime(CLOCK_REALTIME, &wall), clock_gettime(CLOCK_BOOTTIME, &boot);
    clock->wall = wall.tv_sec * INT64_C(1000) + wall.tv_nsec / 1000000;
    clock->boottime = boot.tv_sec * INT64_C(1000) + boot.tv_nsec / 1000000;
    clock->boot[0] = 1;  // zeros elsewhere: this memory knows but one boot
}

const tt_device memory_device = {sizeof(tt_device), read_clock, ask};
