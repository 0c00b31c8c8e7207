// expect: call to undeclared function 'explicit_bzero'
#include <string.h>

void wipe(void *bytes, size_t count) { explicit_bzero(bytes, count); }
