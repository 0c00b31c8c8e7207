// Compiled into ThumbturnCrypto by check.sh, and nowhere else: shows which back ends `canImport` sees in that build.
#if !canImport(CryptoKit)
#error("the CryptoKit back end was skipped")
#endif
#if !canImport(Clibsodium)
#error("the libsodium back end was skipped")
#endif
#if !canImport(CommonCrypto)
#error("the CommonCrypto back end was skipped")
#endif
#if canImport(CArgon2) || canImport(COpenSSL) || canImport(CSodium) || canImport(Glibc)
#error("this build sees Linux's back end")
#endif
