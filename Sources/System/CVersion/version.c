#include "version.h"

// All our compilers support `#embed`, in any C standard mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

const char *version_text(void) {
    static const char text[] = {
#embed "../../../VERSION" suffix(, 0)
    };
    return text;
}
