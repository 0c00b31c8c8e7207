package import ThumbturnCrypto
package import ThumbturnRules

/// Why a call to the account's service failed, in the detail that a caller needs to continue.
///
/// No case contains data that was sent or received. `VaultError(_:)` maps it to the library's public errors.
package enum AccountFailure: Error, Equatable, Sendable {
    // The user's input.
    /// The text is not a service's address.
    case addressMalformed
    /// The text is not a valid account name.
    case nameMalformed
    /// The text is not a valid password: empty, too long, or with control characters.
    case passwordMalformed

    // The connection.
    /// The service can't be reached, or says that it changed nothing and can't now.
    case unreachable
    /// The change may have been made or not: the answer is incomplete, or the service itself does not know.
    case lost
    /// The other side is not this account's service: it did not prove itself, or its answer is malformed.
    case notProved
    /// Its certificate is not valid now, or not from a trusted authority.
    case notCertified(TransportFailure)
    /// It demands a smaller group or a cheaper derivation than before.
    case weakened
    /// The caller has to wait this long before asking again.
    case wait(Milliseconds)
    /// The caller has to wait, but for a time that our service never demands.
    case waitSenseless

    // The service's refusals.
    /// The password is wrong, or there is no account with this name.
    case passwordRefused
    /// The login in progress has ended: start over.
    case handshakeEnded
    /// The token has ended: another device changed the password, or it is too old.
    case tokenEnded
    /// The login is too old for a change: log in again.
    case loginOld
    /// The name now belongs to another account.
    case otherAccount
    /// The service has another name than the account's, or no envelope for this vault.
    case otherService
    /// Another account has this name.
    case nameTaken
    /// The service registers no new accounts, or has reached its limit.
    case registrationRefused
    /// The password was changed since this device last contacted the service.
    case epochMoved
    /// The envelope differs from the one this device knows, or there is one although it knows none.
    case envelopeMoved

    // Devices.
    /// The service does not know this device: the account was closed, or the service's database was replaced.
    case deviceUnknown
    /// This device was revoked.
    case deviceRevoked
    /// Another device has or had this identifier.
    case deviceTaken
    /// The account has as many devices as allowed.
    case deviceLimit
    /// The account does not list such a device.
    case deviceNotListed
    /// The answer to a contact is not proved by the key of the device's last login.
    case contactNotProved
    /// This device could not sign.
    case notSigned(VaultError)

    // The envelope.
    /// The envelope is missing, can't be opened, or lacks the key.
    case keyMissing
    /// Devices still need 32 former keys, or the envelope has no room for another device.
    case devicesLag

    // This machine.
    /// The vault could not be created.
    case vault(VaultError)
    /// The cryptographic library failed, or there is no memory.
    case crypto(CryptoError)
}

extension VaultError {
    /// The diagnostic of a refused contact if the account was closed, the device removed, or the database replaced.
    package static let deviceUnknown = "the service knows no such device"

    /// Converts a failure to the public error.
    package init(_ failure: AccountFailure) {
        switch failure {
        case .addressMalformed: self.init(.usage, "a service's address is https://HOST[:PORT], without a path")
        case .nameMalformed: self.init(.accountNameInvalid)
        case .passwordMalformed: self.init(.secretMalformed)
        case .unreachable: self.init(.serviceUnreachable)
        case .lost: self.init(.serviceUnreachable, "no whole answer: it may have been done")
        case .notProved: self.init(.serviceNotProved)
        case .notCertified(.expired): self.init(.certificateExpired)
        case .notCertified(.clockDiffers): self.init(.certificateClock)
        case .notCertified(.unknownAuthority): self.init(.certificateUnknown)
        case .notCertified(.unreachable), .notCertified(.untrusted), .notCertified(.lost): self.init(.serviceNotProved)
        case .weakened: self.init(.serviceWeakened)
        case .wait(let span): self.init(waiting: span, recoveryKeyOpens: false)
        case .waitSenseless: self.init(.serviceUnreachable, "it asks for a wait that makes no sense")
        case .passwordRefused: self.init(.strongFactorRefused)
        case .handshakeEnded, .tokenEnded, .loginOld, .epochMoved, .envelopeMoved, .deviceTaken:
            self.init(.accountChanged, "\(failure)")
        case .otherAccount: self.init(.accountMismatch, "the name is another account's now")
        case .otherService: self.init(.serviceDiffers)
        case .nameTaken: self.init(.accountNameTaken)
        case .registrationRefused: self.init(.registrationClosed)
        case .deviceUnknown: self.init(.accountMismatch, Self.deviceUnknown)
        case .deviceRevoked: self.init(.securityEventMissing)
        case .contactNotProved: self.init(ErrorCode.contactNotProved)
        case .deviceLimit, .devicesLag: self.init(.accountDevicesLag, "\(failure)")
        case .deviceNotListed: self.init(.usage, "the account lists no such device")
        case .notSigned(let error), .vault(let error): self = error
        case .keyMissing: self.init(.accountKeyMissing)
        case .crypto(let error): self.init(.storageUnavailable, "crypto: \(error)")
        }
    }
}

extension AccountFailure {
    /// Converts a failure of a round trip.
    init(_ failure: TransportFailure) {
        switch failure {
        case .unreachable: self = .unreachable
        case .untrusted: self = .notProved
        case .expired, .clockDiffers, .unknownAuthority: self = .notCertified(failure)
        case .lost: self = .lost
        }
    }

    /// Converts an answer that is not a success.
    ///
    /// An answer that our service never gives comes from another server: so a 401 without a code does not count as a
    /// wrong password.
    ///
    /// - Parameters:
    ///   - code: the code of the problem (RFC 9457); empty if there is none.
    ///   - retryAfter: in seconds, as in the answer.
    init(status: Int, code: String, retryAfter: Int?) {
        switch (status, code) {
        case (429, _):
            let seconds = retryAfter ?? 1
            self = 0...Self.longestWait ~= seconds ? .wait(.seconds(Int64(max(seconds, 1)))) : .waitSenseless
        case (503, "BUSY"), (503, "STORE"), (503, "STORE_FULL"), (503, "SERVICE_KEY"): self = .unreachable
        case (403, "REGISTRATION_CLOSED"), (507, "ACCOUNTS_FULL"): self = .registrationRefused
        case (500...599, _): self = .lost
        case (401, "LOGIN"): self = .passwordRefused
        case (401, "HANDSHAKE"): self = .handshakeEnded
        case (401, "TOKEN"): self = .tokenEnded
        case (401, "DEVICE_UNKNOWN"): self = .deviceUnknown
        case (403, "LOGIN_OLD"): self = .loginOld
        case (403, "DEVICE_REVOKED"): self = .deviceRevoked
        case (404, "DEVICE_NOT_LISTED"): self = .deviceNotListed
        case (409, "ACCOUNT_TAKEN"): self = .nameTaken
        case (409, "EPOCH"): self = .epochMoved
        case (409, "ENVELOPE"), (422, "ENVELOPE"): self = .envelopeMoved
        case (409, "DEVICE_TAKEN"): self = .deviceTaken
        case (409, "DEVICE_LIMIT"): self = .deviceLimit
        // Nonces are random, so the transport must have sent this one before.
        case (409, "NONCE"): self = .lost
        default: self = .notProved
        }
    }

    /// A false service must not lock a user out for years, and is not believed even for an hour; ours asks for a minute
    /// at most.
    private static let longestWait = 3_600
}

/// Runs `body`, which can only fail in the cryptographic library.
func computing<Result: ~Copyable>(_ body: () throws(CryptoError) -> Result) throws(AccountFailure) -> Result {
    do { return try body() } catch { throw .crypto(error) }
}
