import COpenSSL
import ThumbturnConsole

/// The three powers that every login's server needs, computed by OpenSSL: g^b, v^u and (A·v^u)^b.
@safe final class BarePowers {
    private let context = unsafe BN_CTX_new()
    private let modulus = unsafe BN_get_rfc3526_prime_3072(nil)
    private let montgomery = unsafe BN_MONT_CTX_new()
    private let bases: [OpaquePointer?]
    private let exponents: [OpaquePointer?]
    private let result = unsafe BN_new()

    init() throws {
        unsafe bases = unsafe (0..<3).map { _ in unsafe BN_new() }
        unsafe exponents = unsafe (0..<3).map { _ in unsafe BN_new() }
        guard unsafe BN_MONT_CTX_set(montgomery, modulus, context) == 1, unsafe BN_set_word(bases[0], 5) == 1,
            unsafe BN_rand_range(bases[1], modulus) == 1, unsafe BN_rand_range(bases[2], modulus) == 1,
            unsafe exponents.allSatisfy({ unsafe BN_rand($0, 256, 0, 0) == 1 })
        else { throw BenchError(what: "OpenSSL refused") }
    }

    deinit {
        for index in unsafe bases.indices {
            unsafe BN_free(bases[index])
            unsafe BN_free(exponents[index])
        }
        unsafe BN_free(modulus)
        unsafe BN_free(result)
        unsafe BN_MONT_CTX_free(montgomery)
        unsafe BN_CTX_free(context)
    }

    func run(count: Int) {
        for _ in 0..<count {
            for index in 0..<3 {
                unsafe BN_mod_exp_mont_consttime(result, bases[index], exponents[index], modulus, context, montgomery)
            }
        }
    }
}
