#pragma once
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

// Loads libraries that most commands don't need. If they were linked, they would be loaded at every start, libcurl with
// thirty others. Instead, wrappers of their functions load the library at the first call, and then call the real function.
//
// A file of wrappers lists them, each as F(result, name, (parameters), (arguments), result without the library), and
// passes the list with the library's names to LAZY_LIBRARY. The compiler checks each line against the library's header.

struct lazy_function {
    void **place;
    const char *name;
};

// Loads libraries, a null-terminated list of names, and looks up the functions, a list that ends with a null name. Returns
// 1 if all of them were found, else 0.
int lazy_load(const char *const *libraries, const struct lazy_function *functions);

#define LAZY_POINTER(result, name, parameters, arguments, otherwise) static __typeof__(&name) lazy_##name;
#define LAZY_ROW(result, name, parameters, arguments, otherwise) {(void **)&lazy_##name, #name},
#define LAZY_BODY(result, name, parameters, arguments, otherwise)                                                       \
    __attribute__((visibility("hidden"))) result name parameters {                                                     \
        return lazy_is_there() ? lazy_##name arguments : otherwise;                                                    \
    }

// A note in the program that lists the libraries it may load at run time, for packagers:
// https://systemd.io/ELF_DLOPEN_METADATA
#define LAZY_NOTE(words)                                                                                               \
    __attribute__((used, section(".note.dlopen"), aligned(4))) static const struct {                                   \
        uint32_t owner_size, text_size, type;                                                                          \
        char owner[4];                                                                                                 \
        char text[sizeof(words)];                                                                                      \
    } lazy_note = {4, sizeof(words), 0x407c0c0a, "FDO", words};

// Defines the wrappers of a list, and `lazy_is_there`, which returns whether they can be called. `other` lists functions that
// are called only in this file, by their pointers; the names of the libraries follow.
#define LAZY_LIBRARY(words, list, other, ...)                                                                          \
    LAZY_NOTE(words)                                                                                                   \
    list(LAZY_POINTER) other(LAZY_POINTER)                                                                             \
    static int lazy_answer;                                                                                            \
    static void lazy_look(void) {                                                                                      \
        static const char *const libraries[] = {__VA_ARGS__, NULL};                                                    \
        static const struct lazy_function functions[] = {list(LAZY_ROW) other(LAZY_ROW){NULL, NULL}};                  \
        lazy_answer = lazy_load(libraries, functions);                                                                 \
    }                                                                                                                  \
    static int lazy_is_there(void) {                                                                                   \
        static pthread_once_t once = PTHREAD_ONCE_INIT;                                                                \
        pthread_once(&once, lazy_look);                                                                                \
        return lazy_answer;                                                                                            \
    }                                                                                                                  \
    list(LAZY_BODY)
