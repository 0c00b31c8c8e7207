#if canImport(CArgon2)
import CArgon2

extension LegacyArgon2id {
    static func libargon2(
        _ password: borrowing SecretBytes,
        _ salt: [UInt8],
        _ cost: Cost
    ) throws(CryptoError) -> SecretBytes {
        guard let passwordByteCount = UInt32(exactly: password.byteCount) else { throw .parametersOutOfRange }
        guard let key = SecretBytes(uninitializedByteCount: keyByteCount) else { throw .outOfMemory }
        let input = unsafe password.start.assumingMemoryBound(to: UInt8.self)
        let output = unsafe key.start.assumingMemoryBound(to: UInt8.self)
        // The library does not write to the password or the salt: no flag asks it to wipe them.
        var salt = salt
        let status = unsafe salt.withUnsafeMutableBufferPointer { salt in
            var context = unsafe argon2_context()
            unsafe context.out = output
            unsafe context.outlen = UInt32(keyByteCount)
            unsafe context.pwd = input
            unsafe context.pwdlen = passwordByteCount
            unsafe context.salt = salt.baseAddress
            unsafe context.saltlen = UInt32(salt.count)
            unsafe context.t_cost = cost.passes
            unsafe context.m_cost = cost.memoryKiB
            unsafe context.lanes = cost.lanes
            // A single thread, because the stack of another thread could not be wiped.
            unsafe context.threads = 1
            unsafe context.version = UInt32(ARGON2_VERSION_13.rawValue)
            return unsafe argon2id_ctx(&context)
        }
        guard status == ARGON2_OK.rawValue else {
            throw status == ARGON2_MEMORY_ALLOCATION_ERROR.rawValue ? .outOfMemory : .backendFailed
        }
        return key
    }
}
#endif
