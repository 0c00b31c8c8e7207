#pragma once
// The types of PKCS#11 2.40 alone: no library is linked, since the module that has the functions is the operator's choice, and
// loaded by its path. The folder is named, because pkg-config's flags would link libp11-kit too.
#include <p11-kit-1/p11-kit/pkcs11.h>
