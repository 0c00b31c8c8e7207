import Foundation
import LocalAuthentication
import Security
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Finding out whether a row is present, absent, or unknown (A25).
extension Keychain {
    /// Reads with `body`; nil when the row is confirmed to be missing.
    ///
    /// A locked or just booted device may also say "not found". That is believed only if another row, which is readable
    /// exactly when this one is, could be read, and then this one was again not found.
    ///
    /// - Throws: `.damaged` if the keychain can't decode the row; `.unavailable` for every other failure: the state of
    ///   an unguarded row that can't be read is unknown.
    func confirming<R>(_ body: () throws(KeychainFailure) -> R) throws(DeviceRefusal) -> R? {
        if let found = try unlessAbsent(body) { return found }
        try requireReadable()
        return try unlessAbsent(body)
    }

    private func unlessAbsent<R>(_ body: () throws(KeychainFailure) -> R) throws(DeviceRefusal) -> R? {
        do {
            return try body()
        } catch {
            guard error.isNotFound else {
                let refusal: DeviceRefusal = error.status == errSecDecode ? .damaged : .unavailable
                throw refusal.because(of: error.code)
            }
            return nil
        }
    }

    /// Throws `unavailable` unless rows can certainly be read.
    func requireReadable() throws(DeviceRefusal) {
        do { try readCanary() } catch { throw .unavailable.because(of: error.code) }
    }

    /// Reads the canary row, and adds it if there is none.
    ///
    /// Adding it needs the same class key as every other row, and fails if there is an unreadable one already.
    func readCanary() throws(KeychainFailure) {
        let canary = Row(kind: .canary, name: "canary")
        do {
            _ = try value(of: canary)
        } catch  where error.isNotFound {
            do { try add(.marker, as: canary) } catch  where error.isDuplicate {}
            _ = try value(of: canary)
        }
    }

    /// Deletes a row until it is not found.
    ///
    /// - Throws: `.unavailable` when it may still exist.
    func erase(_ row: Row) throws(DeviceRefusal) {
        try requireReadable()
        for _ in 0..<3 {
            do {
                try delete(row)
            } catch {
                guard error.isNotFound else { throw .unavailable.because(of: error.code) }
                return
            }
        }
        throw .unavailable
    }

    /// The state of a row guarded by the owner.
    enum GuardedRow: Hashable {
        /// It exists, and only the owner can open it.
        case guarded(staysOnDevice: Bool)
        /// It exists, and anyone can open it.
        case open(staysOnDevice: Bool)
        /// It is certainly gone, or can't be used any more.
        case gone
        /// It is refused for an unknown reason, and may be usable.
        case refused
    }

    /// Checks a guarded row without a prompt.
    ///
    /// - Throws: `.unavailable` when the state is unknown.
    func probe(_ row: Row) throws(DeviceRefusal) -> GuardedRow {
        var answer = try probeOnce(row)
        // The first probe may make the system delete a dead row. Only the second one is believed.
        if answer == .gone || answer == .refused { answer = try probeOnce(row) }
        return answer
    }

    private func probeOnce(_ row: Row) throws(DeviceRefusal) -> GuardedRow {
        let failure: KeychainFailure
        do {
            return .open(staysOnDevice: try staysOnDevice(row))
        } catch {
            failure = error
        }
        // A locked device answers as for a usable row, a just booted one possibly as for a dead row.
        try requireReadable()
        switch failure.status {
        case errSecInteractionNotAllowed:
            return .guarded(staysOnDevice: finds(row))
        case errSecItemNotFound, errSecDecode:
            return .gone
        case errSecAuthFailed:
            // The code for almost every refusal of an owner, even without asking for one (C16).
            return sensorIsClosed ? .guarded(staysOnDevice: finds(row)) : .refused
        default:
            throw .unavailable.because(of: failure.code)
        }
    }

    /// Whether the sensor is locked out, or denied to the app: then its failures say nothing about an item.
    private var sensorIsClosed: Bool {
        let context = LAContext.quiet()
        defer { context.invalidate() }
        return switch context.obstacle(to: .deviceOwnerAuthenticationWithBiometrics) {
        case .biometryLockout?, .biometryNotAvailable?: true
        default: false
        }
    }

    /// Whether the row is found in a search for rows that stay on this device.
    private func finds(_ row: Row) -> Bool {
        do {
            return try staysOnDevice(row, lookingFor: true)
        } catch {
            return error.status == errSecInteractionNotAllowed || error.status == errSecAuthFailed
        }
    }
}

extension SecretBytes {
    /// One byte that is not secret, for a row that only has to exist.
    static var marker: SecretBytes { unsafe SecretBytes(byteCount: 1) { buffer in unsafe buffer[0] = 1 } }
}
