package import ThumbturnCrypto
package import ThumbturnRules

/// Why a call to the account's service gave nothing: as fine as a caller needs to go on by itself.
///
/// No case carries what was sent or answered. `VaultError(_:)` says what leaves the library.
package enum AccountFailure: Error, Equatable, Sendable {
    // What was typed.
    /// No address of a service.
    case addressMalformed
    /// No account can have this name.
    case nameMalformed
    /// No password can be this: empty, too long, or with control characters.
    case passwordMalformed

    // The way there.
    /// The service can't be reached, or says that it changed nothing and can't now.
    case unreachable
    /// What was asked may have happened or not: no whole answer came, or the service itself does not know.
    case lost
    /// The other side is no service of this account: it did not prove itself, or its answer has no form that we know.
    case notProved
    /// Its certificate is none that holds now, or none of an authority that is trusted.
    case notCertified(TransportFailure)
    /// It asks for a smaller group or a cheaper derivation than before.
    case weakened
    /// It is to be asked again after this long.
    case wait(Milliseconds)
    /// It is to be asked again, and not after a time that any service of ours says.
    case waitSenseless

    // What the service says of us.
    /// The password is not the account's, or nobody has this name.
    case passwordRefused
    /// The login that was begun has ended meanwhile: begin anew.
    case handshakeEnded
    /// The token has ended: another changed the password, or it is too old.
    case tokenEnded
    /// The login is too old for a change: log in once more.
    case loginOld
    /// The name is another account's than it was.
    case otherAccount
    /// The service has another name than the account's, or no envelope of this vault's.
    case otherService
    /// Another account has this name.
    case nameTaken
    /// It registers no new accounts, or has as many as it may.
    case registrationRefused
    /// The password was changed since this device heard of it.
    case epochMoved
    /// The envelope is another one than this device knows, or there is one where it knows of none.
    case envelopeMoved

    // Devices.
    /// The service knows no such device: its account was closed, or another database took its place.
    case deviceUnknown
    /// This device was revoked.
    case deviceRevoked
    /// Another device has, or had, this identifier.
    case deviceTaken
    /// The account lists as many devices as it may.
    case deviceLimit
    /// The account lists no such device.
    case deviceNotListed
    /// What answered a contact is not proved by the device's last login.
    case contactNotProved
    /// This device would not sign.
    case notSigned(VaultError)

    // The envelope.
    /// The envelope is absent, can't be opened, or has no such key.
    case keyMissing
    /// 32 former keys still wait for devices, or the envelope has no room for one device more.
    case devicesLag

    // This machine.
    /// The vault could not be made.
    case vault(VaultError)
    /// The cryptographic library failed, or there is no memory.
    case crypto(CryptoError)
}

extension VaultError {
    /// What a contact is refused with where the account was closed, the device taken off, or another database took its place.
    package static let deviceUnknown = "the service knows no such device"

    /// What a person is told.
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
    /// What becomes of a round trip without an answer.
    init(_ failure: TransportFailure) {
        switch failure {
        case .unreachable: self = .unreachable
        case .untrusted: self = .notProved
        case .expired, .clockDiffers, .unknownAuthority: self = .notCertified(failure)
        case .lost: self = .lost
        }
    }

    /// What an answer is that is no success.
    ///
    /// What no service of ours answers is another's: so a 401 without its code costs nobody a try.
    ///
    /// - Parameters:
    ///   - code: of the problem (RFC 9457); empty where there is none.
    ///   - retryAfter: in seconds, as the answer has it.
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
        // Nonces are drawn: the transport sent this one before.
        case (409, "NONCE"): self = .lost
        default: self = .notProved
        }
    }

    /// A false service must not keep anybody away for years, nor be believed for an hour; ours never asks for more than a minute.
    private static let longestWait = 3_600
}

/// Runs `body`, in which nothing can fail but the library beneath.
func computing<Result: ~Copyable>(_ body: () throws(CryptoError) -> Result) throws(AccountFailure) -> Result {
    do { return try body() } catch { throw .crypto(error) }
}
