#include "lazy.h"
#include <dlfcn.h>

enum { most_libraries = 4 };

int lazy_load(const char *const *libraries, const struct lazy_function *functions) {
    void *handles[most_libraries];
    size_t count = 0;
    // Resolve all symbols now: resolving a function at its first call saves the registers on the stack, and by then they
    // may contain a secret.
    for (; libraries[count]; count++) {
        if (count == most_libraries || !(handles[count] = dlopen(libraries[count], RTLD_NOW | RTLD_LOCAL))) return 0;
    }
    for (const struct lazy_function *function = functions; function->name; function++) {
        void *found = NULL;
        for (size_t i = 0; i < count && !found; i++) found = dlsym(handles[i], function->name);
        if (!found) return 0;
        *function->place = found;
    }
    return 1;
}
