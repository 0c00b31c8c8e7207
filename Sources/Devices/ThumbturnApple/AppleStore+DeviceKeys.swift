import LocalAuthentication
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// The device's own keys: a Secure Enclave makes them and signs; without one the scalar is kept in the keychain.
extension AppleStore {
    func makeDeviceKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        let rows = rows(of: name)
        return try await keychain.run { () throws(DeviceRefusal) in
            try carrier == .enclave ? makeSigner(in: rows) : makeScalar(in: rows)
        }
    }

    func devicePublicKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        let rows = rows(of: name)
        return try await keychain.run { () throws(DeviceRefusal) in
            switch try deviceKey(in: rows) {
            case .enclave(let signer):
                try use(signer) { signer throws(EnclaveKey.Failure) in try signer.publicKey() }
            case .software(let scalar):
                try P256PrivateKey(keptByDevice: scalar.bytes).publicKey
            }
        }
    }

    func sign(_ message: [UInt8], with name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        let rows = rows(of: name)
        return try await keychain.run { () throws(DeviceRefusal) in
            switch try deviceKey(in: rows) {
            case .enclave(let signer):
                try use(signer) { signer throws(EnclaveKey.Failure) in try signer.sign(message) }
            case .software(let scalar):
                try P256PrivateKey(keptByDevice: scalar.bytes).signature(forDevice: message)
            }
        }
    }

    private func makeSigner(in rows: Rows) throws(DeviceRefusal) -> [UInt8] {
        try keychain.requireReadable()
        let signer = try translating { () throws(EnclaveKey.Failure) in try EnclaveSigner.make() }
        let publicKey = try translating { () throws(EnclaveKey.Failure) in try signer.publicKey() }
        try add(ItemRecord(kind: .deviceKey, access: .deviceOnly, place: .signer(signer)), to: rows)
        return publicKey
    }

    private func makeScalar(in rows: Rows) throws(DeviceRefusal) -> [UInt8] {
        let key = try P256PrivateKey.makeForDevice()
        let scalar = key.withScalar { SecretBytes(copying: $0) }
        try save(scalar, in: rows, kind: .deviceKey, access: .deviceOnly)
        return key.publicKey
    }

    private enum DeviceKey {
        case enclave(EnclaveSigner)
        case software(HeldSecret)
    }

    private func deviceKey(in rows: Rows) throws(DeviceRefusal) -> DeviceKey {
        guard let record = try storedRecord(in: rows), record.kind == .deviceKey else { throw .absent }
        if case .signer(let signer) = record.place { return .enclave(signer) }
        return .software(HeldSecret(try root(of: record, in: rows, .quiet())))
    }

    private func use(
        _ signer: EnclaveSigner,
        _ body: (EnclaveSigner) throws(EnclaveKey.Failure) -> [UInt8]
    ) throws(DeviceRefusal) -> [UInt8] {
        do { return try body(signer) } catch {
            let refusal: DeviceRefusal = try isGone { signer.isUsable } ? .absent : .unavailable
            throw refusal.because(of: error.code)
        }
    }
}
