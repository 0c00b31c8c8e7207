import ThumbturnCrypto
import ThumbturnRules

/// A device that wants to be listed.
struct Enrolment {
    let id: Identifier
    let publicKey: [UInt8]
    /// As its owner calls it; nil leaves it as it is called.
    let name: String?
}

/// What a device sends to hear whether its account's password was changed.
struct Contact {
    let id: Identifier
    let nonce: [UInt8]
    let signature: [UInt8]
    /// What the device signed.
    let message: [UInt8]
}

/// What a device hears.
struct ContactAnswer {
    let userID: Identifier
    let epoch: Int64
    let passwordChangedAt: ServiceTime
    /// Whether it hears that it was revoked, and nothing else.
    var isRevoked = false
}

/// An account as its owner sees it.
struct AccountState {
    let name: AccountName
    let session: Session
    let devices: [Device]
}

extension Accounts {
    /// What is known of the token's account.
    func state(_ caller: Caller, in store: any Store) throws(Problem) -> AccountState {
        try store.looking { tables throws(Problem) in
            let session = try tables.session(caller.token, keys, at: caller.now)
            let devices = try tables.devices(of: session.userID)
            return AccountState(name: try keys.name(of: session), session: session, devices: devices)
        }
    }

    /// Lists a device, and keeps with it what its contacts are answered by from this login on.
    ///
    /// Each login of a device does so. The same once more gets the same answer, for the first may not have arrived.
    ///
    /// - Returns: whose login it was, and the device.
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
            return (session, device)
        }
    }

    /// Revokes a device of the token's account, and ends its logins; one that is revoked already stays so.
    ///
    /// - Returns: whose login it was.
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

    /// Tells a device the epoch of its account: without a token, but signed, and each nonce once.
    ///
    /// The signature is checked before a transaction that writes begins, so what anybody may send makes no other call wait.
    ///
    /// - Returns: what it hears, and the key that proves it.
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
            // Closed or revoked since, it gets the newest answer and no other.
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
