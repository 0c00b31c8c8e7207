// A vault in a C program: cc wallet.c device.c -lThumbturnBridge -lcrypto && ./a.out FOLDER
// It makes a vault with a PIN, locks it, opens it by the PIN, imports a wallet and shows its words.
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

static const char pin[] = "204518937264", words[] = "legal winner thank year wave sausage worth useful legal winner thank yellow";
static uint64_t vault, ticket;
static sem_t answered, closed;
static char answer[4096];

static void on_answered(void *context, uint64_t number, const uint8_t *json, uint64_t count) {
    (void)context, (void)number;
    snprintf(answer, sizeof answer, "%.*s", (int)count, (const char *)json);
    sem_post(&answered);
}
static tt_status on_lent(void *context, uint64_t number, const uint8_t *bytes, uint64_t count) {
    (void)context, (void)number;
    return printf("%.*s\n", (int)count, (const char *)bytes) < 0 ? TT_ARGUMENT : TT_OK;  // an app draws them, and keeps none
}
static void on_closed(void *context) { (void)context, sem_post(&closed); }

// Does an action, with a secret beside it if there is one, and waits for its answer.
static void act(const char *action, const char *text) {
    uint64_t secret = 0, count = text ? strlen(text) : 0;
    uint8_t *bytes;
    if (text && !tt_secret_make(count, &secret) && !tt_secret_bytes(secret, &bytes, &count)) memcpy(bytes, text, count);
    tt_status status = tt_send(vault, ++ticket, (const uint8_t *)action, strlen(action), secret);
    if (status == TT_OK) sem_wait(&answered);
    if (status == TT_OK && !strcmp(answer, "{\"error\":null}")) return;
    fprintf(stderr, "%s: status %d, %s\n", action, status, answer);
    exit(1);
}

int main(int count, char **arguments) {
    static const tt_listener listener = {sizeof listener, NULL, on_answered, on_lent, on_closed};
    char text[65536], *found = NULL;
    if (count != 2 || sem_init(&answered, 0, 0) || sem_init(&closed, 0, 0)) return 2;
    int size = snprintf(text, 4096, "{\"home\":\"%s\",\"language\":\"en\",\"policy\":\"wallet\",\"secret\":{\"kind\":\"pin\",\"length\":12}}", arguments[1]);
    if (tt_open((uint8_t *)text, (uint64_t)size, 0, &memory_device, &listener, NULL, &vault)) return 2;

    act("{\"name\":\"start\",\"screen\":\"app\"}", NULL);  // returns when it was looked for a vault
    act("{\"name\":\"submitSecret\",\"screen\":\"onboarding\",\"secret\":\"taken\"}", pin);
    act("{\"name\":\"submitSecret\",\"screen\":\"onboarding\",\"secret\":\"taken\"}", pin);
    act("{\"name\":\"lock\",\"screen\":\"unlock\"}", NULL);
    act("{\"name\":\"submitSecret\",\"screen\":\"unlock\",\"secret\":\"taken\"}", pin);
    act("{\"name\":\"import\",\"screen\":\"wallets\",\"secret\":\"taken\",\"wallet\":\"Savings\"}", words);
    if (!tt_fields(vault, (uint8_t *)text, sizeof text - 1, &(uint64_t){0})) found = strstr(text, "\"id\":\"");
    if (!found) return 1;
    snprintf(answer, sizeof answer, "{\"name\":\"export\",\"screen\":\"wallets\",\"secret\":\"taken\",\"wallet\":\"%.32s\"}", found + 6);
    act(strdup(answer), pin);
    tt_close(vault);
    sem_wait(&closed);
    return 0;
}
