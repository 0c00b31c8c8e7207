import Foundation
import LocalAuthentication
import Security
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// What is there, what is not, and when nothing can be said (A25).
extension Keychain {
    /// Reads with `body`; nil when the row is confirmed not to be there.
    ///
    /// "Not found" is also what a locked or just booted device may say. It is believed when another row, which is readable
    /// exactly when this one is, could be read before it was said again.
    ///
    /// - Throws: `.damaged` where the keychain says that it can't decode the row; `.unavailable` for every other failure: nothing
    ///   is known of a row that nobody guards and that can't be read.
    func confirming<R>(_ body: () throws(KeychainFailure) -> R) throws(DeviceRefusal) -> R? {
        if let found = try unlessAbsent(body) { return found }
        try requireReadable()
        return try unlessAbsent(body)
    }

    private func unlessAbsent<R>(_ body: () throws(KeychainFailure) -> R) throws(DeviceRefusal) -> R? {
        do {
            return try body()
        } catch {
            guard error.isNotFound else { throw error.status == errSecDecode ? .damaged : .unavailable }
            return nil
        }
    }

    /// Says `unavailable` while rows can't be read for certain.
    func requireReadable() throws(DeviceRefusal) {
        do { try readCanary() } catch { throw .unavailable }
    }

    /// Reads the canary, and puts one there where none is.
    ///
    /// A new one needs the same class key as every other row, and one that is there and can't be read is in its own way.
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
    /// - Throws: `.unavailable` when it may still be there.
    func erase(_ row: Row) throws(DeviceRefusal) {
        try requireReadable()
        for _ in 0..<3 {
            do {
                try delete(row)
            } catch {
                guard error.isNotFound else { throw .unavailable }
                return
            }
        }
        throw .unavailable
    }

    /// What became of a row that the owner guards.
    enum GuardedRow: Hashable {
        /// It is there, and only the owner opens it.
        case guarded(staysOnDevice: Bool)
        /// It is there, and anybody opens it.
        case open(staysOnDevice: Bool)
        /// It is gone, or of no use any more, for certain.
        case gone
        /// It is refused, and nothing says why: it may be alive.
        case refused
    }

    /// Looks at a guarded row without a prompt.
    ///
    /// - Throws: `.unavailable` when nothing can be said.
    func probe(_ row: Row) throws(DeviceRefusal) -> GuardedRow {
        var answer = try probeOnce(row)
        // The first look may be the one that makes the system drop a dead row. Only the second is believed.
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
        // A locked device answers as a living row does, and one that was just booted as a dead row may.
        try requireReadable()
        switch failure.status {
        case errSecInteractionNotAllowed:
            return .guarded(staysOnDevice: finds(row))
        case errSecItemNotFound, errSecDecode:
            return .gone
        case errSecAuthFailed:
            // The one code for almost every refusal of an owner, also of one who was not asked (C16).
            return sensorIsClosed ? .guarded(staysOnDevice: finds(row)) : .refused
        default:
            throw .unavailable
        }
    }

    /// Whether the sensor is locked out, or refused to the app: then it opens nothing, and that says nothing of any item.
    private var sensorIsClosed: Bool {
        let context = LAContext.quiet()
        defer { context.invalidate() }
        return switch context.obstacle(to: .deviceOwnerAuthenticationWithBiometrics) {
        case .biometryLockout?, .biometryNotAvailable?: true
        default: false
        }
    }

    /// Whether the row is found when only those that stay on this device are looked for.
    private func finds(_ row: Row) -> Bool {
        do {
            return try staysOnDevice(row, lookingFor: true)
        } catch {
            return error.status == errSecInteractionNotAllowed || error.status == errSecAuthFailed
        }
    }
}

extension SecretBytes {
    /// One byte that is no secret, for a row whose being there is all it says.
    static var marker: SecretBytes {
        unsafe SecretBytes(byteCount: 1) { buffer in unsafe buffer[0] = 1 }
    }
}
