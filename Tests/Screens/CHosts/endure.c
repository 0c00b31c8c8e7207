// Opens and closes vaults, and sends actions, and fails if that leaves memory behind: endure FOLDER VAULTS ACTIONS
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device.h"

static sem_t answered, closed;
static void on_answered(void *context, uint64_t ticket, const uint8_t *json, uint64_t count) {
    (void)context, (void)ticket, (void)json, (void)count;
    sem_post(&answered);
}
static void on_closed(void *context) { (void)context, sem_post(&closed); }
static const tt_listener listener = {sizeof listener, NULL, on_answered, NULL, on_closed};
static char configuration[4096];

static uint64_t opened(void) {
    uint64_t vault;
    if (tt_open((uint8_t *)configuration, strlen(configuration), 0, &memory_device, &listener, NULL, &vault)) exit(2);
    return vault;
}
static void act(uint64_t vault, int ticket, const char *action, uint64_t secret) {
    if (tt_send(vault, (uint64_t)ticket, (const uint8_t *)action, strlen(action), secret)) exit(3);
    sem_wait(&answered);
}
static void come_and_go(int count) {
    for (int i = 0; i < count; i++) {
        uint64_t vault = opened();
        if (i % 2) act(vault, 1, "{\"name\":\"start\",\"screen\":\"app\"}", 0);
        if (tt_close(vault) || !tt_close(vault)) exit(4);
        sem_wait(&closed);
    }
}
static void send_many(uint64_t vault, int count) {
    for (int i = 1; i <= count; i++) {
        uint64_t secret = 0;
        if (i % 3 == 0 && tt_secret_make(8, &secret)) exit(5);
        act(vault, i, i % 2 ? "{\"name\":\"resetError\",\"screen\":\"onboarding\"}" : "{\"name\":\"nothing\",\"screen\":\"unlock\"}", secret);
    }
}
static long kibibytes(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1) exit(6);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}
static double microseconds(struct timespec from, int count) {
    struct timespec to;
    clock_gettime(CLOCK_MONOTONIC, &to);
    return ((double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) / 1e3) / count;
}

int main(int count, char **arguments) {
    if (count != 4 || sem_init(&answered, 0, 0) || sem_init(&closed, 0, 0)) return 1;
    int vaults = atoi(arguments[2]), actions = atoi(arguments[3]);
    snprintf(configuration, sizeof configuration, "{\"home\":\"%s\",\"language\":\"en\",\"policy\":\"wallet\",\"secret\":{\"kind\":\"pin\",\"length\":12}}", arguments[1]);
    // Once before: what a first use loads and keeps is no leak.
    come_and_go(vaults / 4 + 50);
    uint64_t vault = opened();
    send_many(vault, actions / 4);
    long before = kibibytes();
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    send_many(vault, actions);
    double action = microseconds(start, actions);
    char fields[65536];
    uint64_t size;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < 1000; i++)
        if (tt_fields(vault, (uint8_t *)fields, sizeof fields, &size)) return 7;
    double value = microseconds(start, 1000);
    tt_close(vault);
    sem_wait(&closed);
    come_and_go(vaults);
    long more = kibibytes() - before;
    printf("action %.1f us, value %.2f us, %ld KiB more\n", action, value, more);
    return more > 1024;
}
