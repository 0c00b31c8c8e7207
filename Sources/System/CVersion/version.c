#include "version.h"

// All that we build with has it, whichever year of C it is.
#pragma clang diagnostic ignored "-Wc23-extensions"

const char *version_text(void) {
    static const char text[] = {
#embed "../../../VERSION" suffix(, 0)
    };
    return text;
}
