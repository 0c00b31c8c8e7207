#pragma once
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

// Libraries that most commands do without. Linked, they would be loaded at every start, libcurl with thirty others; so
// a function of theirs is defined here, and calls the real one, once their library was loaded, at the first such call.
//
// A file of such functions lists them, each as F(result, name, (parameters), (arguments), what it gives without its
// library), and names the library: LAZY_LIBRARY. The compiler holds each line against the library's own header.

struct lazy_function {
    void **place;
    const char *name;
};

// Loads libraries, which are named up to a null, and finds all of the functions, up to one without a name. Either all
// of them are found, or none is and the answer is 0.
int lazy_load(const char *const *libraries, const struct lazy_function *functions);

#define LAZY_POINTER(result, name, parameters, arguments, otherwise) static __typeof__(&name) lazy_##name;
#define LAZY_ROW(result, name, parameters, arguments, otherwise) {(void **)&lazy_##name, #name},
#define LAZY_BODY(result, name, parameters, arguments, otherwise)                                                       \
    __attribute__((visibility("hidden"))) result name parameters {                                                     \
        return lazy_is_there() ? lazy_##name arguments : otherwise;                                                    \
    }

// Where a program says which libraries it may load while it runs, for those who package it:
// https://systemd.io/ELF_DLOPEN_METADATA
#define LAZY_NOTE(words)                                                                                               \
    __attribute__((used, section(".note.dlopen"), aligned(4))) static const struct {                                   \
        uint32_t owner_size, text_size, type;                                                                          \
        char owner[4];                                                                                                 \
        char text[sizeof(words)];                                                                                      \
    } lazy_note = {4, sizeof(words), 0x407c0c0a, "FDO", words};

// Defines the functions of a list, and `lazy_is_there`, which says whether they can be called. `other` is a list of those that
// are called in this file alone, by their pointers; the names of the libraries follow.
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
