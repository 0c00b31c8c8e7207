// The part of CommonCrypto/CommonCryptor.h that ThumbturnCrypto calls, as in Apple's open-source header.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef int32_t CCCryptorStatus;
typedef uint32_t CCOperation;
typedef uint32_t CCAlgorithm;
typedef uint32_t CCOptions;
enum { kCCSuccess = 0 };
enum { kCCEncrypt = 0, kCCDecrypt };
enum { kCCAlgorithmAES128 = 0, kCCAlgorithmAES = 0 };
CCCryptorStatus CCCrypt(
    CCOperation operation, CCAlgorithm algorithm, CCOptions options, const void *key, size_t keyLength, const void *iv,
    const void *dataIn, size_t dataInLength, void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved);
