import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

/// A request to list a device.
struct Enrolment {
    let id: Identifier
    let publicKey: [UInt8]
    /// The name its owner gives it; `nil` keeps the current name.
    let name: String?
}

/// A device's question whether its account's password was changed.
struct Contact {
    let id: Identifier
    let nonce: [UInt8]
    let signature: [UInt8]
    /// The bytes that the device signed.
    let message: [UInt8]
}

struct ContactAnswer {
    let userID: Identifier
    let epoch: Int64
    let passwordChangedAt: ServiceTime
    /// Whether the answer only says that the device was revoked.
    var isRevoked = false
}

/// An account as its owner sees it.
struct AccountState {
    let name: AccountName
    let session: Session
    let devices: [Device]
}

extension Accounts {
    /// Returns the state of the token's account.
    func state(_ caller: Caller, in store: any Store) throws(Problem) -> AccountState {
        try store.looking { tables throws(Problem) in
            let session = try tables.session(caller.token, keys, at: caller.now)
            let devices = try tables.devices(of: session.userID)
            return AccountState(name: try keys.name(of: session), session: session, devices: devices)
        }
    }

    /// Lists a device, and stores the key that proves answers to its contacts from this login on.
    ///
    /// Each login of a device calls it. Repeating the call gives the same answer, because the first may be lost.
    ///
    /// - Returns: the session and the device.
    func enrol(
        _ caller: Caller,
        in store: any Store,
        _ form: () throws(Problem) -> Enrolment
    ) throws(Problem) -> (session: Session, device: Device) {
        try store.writing { tables throws(Problem) in
            let session = try tables.freshSession(caller.token, keys, at: caller.now)
            let enrolment = try form()
            let key = try tables.seals(keys).contactKey(
                SessionPurpose.contact.key(from: keys.sessionKey(of: session)),
                of: enrolment.id,
                session.userID
            )
            if var device = try tables.device(enrolment.id) {
                let isSame = device.userID == session.userID && device.publicKey == enrolment.publicKey
                guard isSame, !device.isRevoked else { throw Problem(.deviceTaken) }
                device.contactKey = key
                device.name = enrolment.name ?? device.name
                try tables.update(device)
                try tables.bind(session, to: device)
                return (session, device)
            }
            guard try !tables.isFormer(enrolment.id) else { throw Problem(.deviceTaken) }
            guard try tables.devices(of: session.userID).count < DeviceKey.mostListed else {
                throw Problem(.deviceLimit)
            }
            let device = Device(
                id: enrolment.id,
                userID: session.userID,
                publicKey: enrolment.publicKey,
                createdAt: caller.now,
                contactKey: key,
                name: enrolment.name
            )
            guard try tables.insert(device) else { throw Problem(.deviceTaken) }
            try tables.bind(session, to: device)
            try tables.enter(.enrolled(device.id, of: session.userID, publicKey: device.publicKey), of: session.userID)
            return (session, device)
        }
    }

    /// Revokes a device of the token's account and ends its logins; has no effect on one that is already revoked.
    ///
    /// - Returns: the session.
    func revoke(
        _ caller: Caller,
        in store: any Store,
        _ form: () throws(Problem) -> Identifier
    ) throws(Problem) -> Session {
        try store.writing { tables throws(Problem) in
            let session = try tables.freshSession(caller.token, keys, at: caller.now)
            let id = try form()
            guard let device = try tables.device(id), device.userID == session.userID else {
                throw Problem(.notListed)
            }
            if !device.isRevoked { try tables.revoke(device, at: caller.now) }
            return session
        }
    }

    /// Tells a device the epoch of its account: without a token, but with a signature and a nonce that is used once.
    ///
    /// The signature is checked before a writing transaction starts, so that unauthenticated requests can't delay other
    /// calls.
    ///
    /// - Returns: the answer, and the key that proves it.
    func contact(
        _ contact: Contact,
        _ caller: Caller,
        in store: any Store
    ) throws(Problem) -> (answer: ContactAnswer, key: HeldSecret) {
        let device = try store.looking { tables throws(Problem) in try tables.device(contact.id) }
        guard let device else { throw Problem(.deviceUnknown) }
        do throws(CryptoError) {
            try P256.verify(signature: contact.signature, of: contact.message, publicKey: device.publicKey)
        } catch {
            throw Problem(.signature)
        }
        let (answer, current) = try store.writing { tables throws(Problem) in
            // If the account was closed or the device revoked meanwhile, return the current answer only.
            guard let current = try tables.device(contact.id), current.publicKey == device.publicKey,
                var answer = try tables.contactAnswer(for: current.userID)
            else { throw Problem(.deviceUnknown) }
            answer.isRevoked = current.isRevoked
            guard !answer.isRevoked else { return (answer, current) }
            guard try tables.remember(contact, at: caller.now) else { throw Problem(.nonce) }
            return (answer, current)
        }
        return (answer, HeldSecret(try keys.contactKey(of: current)))
    }
}

extension Tables {
    fileprivate func contactAnswer(for userID: Identifier) throws(Problem) -> ContactAnswer? {
        let row = try row("SELECT epoch, password_changed_at FROM accounts WHERE user_id = $1", .identifier(userID))
        guard let row else { return nil }
        return ContactAnswer(userID: userID, epoch: try row.integer(0), passwordChangedAt: try row.time(1))
    }

    /// - Returns: whether the nonce is new.
    fileprivate func remember(_ contact: Contact, at now: ServiceTime) throws(Problem) -> Bool {
        try run(
            """
            INSERT INTO nonces (device_id, nonce, expires_at) VALUES ($1, $2, $3) ON CONFLICT (device_id, nonce) DO NOTHING
            """,
            .identifier(contact.id),
            .blob(contact.nonce),
            .time(now + .minutes(DeviceKey.nonceMinutes))
        ) == 1
    }
}
