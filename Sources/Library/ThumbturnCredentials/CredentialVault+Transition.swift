import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// A key released by a prompt.
final class ReleasedKey {
    let secret: RandomSecret
    let item: ItemName
    let at: ClockReading

    init(_ secret: consuming RandomSecret, of item: ItemName, at: ClockReading) {
        self.secret = secret
        self.item = item
        self.at = at
    }
}

extension CredentialProtection {
    var access: AccessControl {
        switch self {
        case .keychain: .deviceOnly
        case .biometrics: .currentBiometrySet
        case .ownerPresence: .anyBiometryOrPasscode
        }
    }
}

// The steps of a request: check the state, ask the rules, carry out their effects, and report the result to them.
extension CredentialVault {
    typealias Machine = CredentialVaultMachine

    /// The data of one request.
    private struct Work: ~Copyable {
        let prompt: PromptText?
        /// The encoded credentials to store.
        var sealing: SecretBytes?
        var released: ReleasedKey?
        /// The credentials that were read.
        var opened: Credentials?

        init(_ prompt: PromptText?, sealing: consuming SecretBytes? = nil) {
            self.prompt = prompt
            self.sealing = sealing
        }
    }

    /// Carries out a request that changes something; other processes are excluded until its end, including during
    /// prompts.
    func change(
        _ request: Machine.Request,
        to credentials: consuming SecretBytes? = nil,
        _ prompt: PromptText? = nil
    ) async throws(VaultError) {
        let beginning = lockCount
        await taskLock.enter()
        defer { taskLock.leave() }
        if request.wantsSensor { await lookAtSensor() }
        try await processLock.acquire()
        defer { processLock.release() }
        var work = Work(prompt, sealing: credentials)
        try await carryOut(request, &work, since: beginning)
        await purge()
    }

    /// Carries out a request that changes nothing.
    ///
    /// It does not exclude other processes; if one changes something meanwhile, this throws `.busy`.
    ///
    /// - Returns: the credentials, for a request that reads them.
    @discardableResult
    func ask(_ request: Machine.Request, _ prompt: PromptText? = nil) async throws(VaultError) -> Credentials? {
        let beginning = lockCount
        await taskLock.enter()
        defer { taskLock.leave() }
        if request.wantsSensor { await lookAtSensor() }
        var work = Work(prompt)
        try await carryOut(request, &work, since: beginning)
        if request == .reauthenticateOwner {
            // A passcode ends a lockout.
            await lookAtSensor()
            await lookAgain()
        }
        return work.opened
    }

    func read(_ request: Machine.Request, _ prompt: PromptText? = nil) async throws(VaultError) -> Credentials {
        guard let credentials = try await ask(request, prompt) else { throw VaultError(.credentialsNotRead) }
        return credentials
    }

    /// - Parameter beginning: `lockCount` at the start of the call.
    private func carryOut(
        _ request: Machine.Request,
        _ work: inout Work,
        since beginning: UInt64
    ) async throws(VaultError) {
        do throws(VaultError) {
            try await look()
        } catch {
            // A reset does not need to know what it erases.
            guard request == .reset else { throw error }
        }
        let orders = machine.handle(.requested(request))
        try obey(orders)
        // Repeat a lock that came before the request was in progress: the rules decide whether it wins (A36).
        if lockCount != beginning { apply(machine.handle(.requested(.lock))) }
        do throws(VaultError) {
            for order in orders { try await carryOut(order, &work) }
        } catch {
            apply(machine.handle(.failed))
            await lookAgain()
            throw error
        }
        let last = machine.handle(.succeeded)
        if last.contains(.keepKey) { key = work.released }
        try obey(last)
        if machine.stored == nil { await lookAgain() }
    }

    private func carryOut(_ order: Machine.Effect, _ work: inout Work) async throws(VaultError) {
        switch order {
        case .releaseKey:
            work.released = try await releaseKey(work.prompt)
        case .authenticateOwner:
            if let key, isFresh(key) { work.released = key } else { work.released = try await releaseKey(work.prompt) }
        case .open:
            // Part of the request: if the credentials have another type, the transition failed.
            work.opened = try coding.decode(await open(work.released ?? key))
        case .store(let protection):
            if work.sealing == nil { work.sealing = try await open(work.released) }
            guard let credentials = work.sealing.take() else { throw VaultError(.credentialsNotRead) }
            let protection = protection == .keychain ? protection : guardedBy
            work.released = try await store(credentials, behind: protection, work.prompt)
        case .erase:
            try erase()
        case .showOwnerPrompt:
            guard let prompt = work.prompt else { throw VaultError(.promptCancelled) }
            do throws(DeviceRefusal) {
                try await device.prompt.prompt(prompt, acceptingPasscode: true)
            } catch {
                throw VaultError(error, at: .readCredentials)
            }
        case .keepKey, .forgetKey, .refuse:
            apply([order])
        }
    }

    /// Carries out the effects that do not wait.
    func apply(_ effects: [Machine.Effect]) {
        if effects.contains(.forgetKey) { key = nil }
        publish()
    }

    /// Does the same, and throws what the rules refuse.
    func obey(_ effects: [Machine.Effect]) throws(VaultError) {
        apply(effects)
        for case .refuse(let refusal) in effects { throw VaultError(refusal.code) }
    }

    /// Whether a prompt released the credentials within the last minute, which proves the owner (C5).
    private func isFresh(_ key: ReleasedKey) -> Bool {
        guard case .elapsed(_, let age) = ClockReading.relation(from: key.at, to: device.clock()) else { return false }
        return age <= .seconds(60)
    }
}

// Checking the state.
extension CredentialVault {
    /// Reads the database and the device again.
    ///
    /// It writes nothing, and can only revoke access. For the sensor it uses the result of the last check.
    func look() async throws(VaultError) {
        let stored = try store.record(named: name)
        if let stored, stored.device != device.kind { throw VaultError(.deviceMismatch) }
        condition = await condition(of: stored)
        record = stored
        if let key, key.item != stored?.item || condition == .keyGone { apply(machine.handle(.keyLost)) }
        apply(machine.handle(.looked(stored: stored?.protection, biometricsAvailable: mayPrompt(stored?.protection))))
    }

    /// Whether a prompt could succeed now: for what is stored behind one, or else for what the vault would store.
    private func mayPrompt(_ stored: CredentialProtection?) -> Bool {
        switch stored == .keychain ? guardedBy : stored ?? guardedBy {
        case .keychain: false
        case .biometrics: capability.available
        case .ownerPresence: device.kind.takesPasscode && capability.reasonIfUnavailable != .noPasscode
        }
    }

    /// Checks the sensor; never while other processes are excluded, because its service may not answer.
    func lookAtSensor() async { capability = await device.prompt.capability() }

    /// Checks again at the end of a call, without changing its result.
    private func lookAgain() async { do { try await look() } catch { tolerated(error) } }

    private func condition(of record: CredentialRecord?) async -> CredentialSnapshot.Condition {
        guard let record else { return .reachable }
        do {
            if try await device.store.describe(record.item) != nil { return .reachable }
            // One answer may be a mistake of a store that just started; two confirm it (A25).
            return try await device.store.describe(record.item) == nil ? .keyGone : .reachable
        } catch {
            return .unknown
        }
    }

    /// Deletes the unreferenced items; the caller holds the process lock.
    ///
    /// Failures are counted, and tried again later.
    func purge() async {
        let items: [ItemName]
        do { items = try store.leftovers() } catch { return tolerated(error) }
        leftBehind = 0
        for item in items where await discard(item) == .leftBehind { leftBehind += 1 }
        publish()
    }

    /// What became of a leftover item.
    private enum Fate {
        /// A row refers to it.
        case named
        case gone
        /// It could not be deleted, or it is unknown whether it may be.
        case leftBehind
    }

    /// Deletes an item and its leftover row, unless a row refers to it.
    private func discard(_ item: ItemName) async -> Fate {
        do {
            guard try store.confirmLeftover(item) else { return .named }
            try await device.store.delete(item)
            try store.forget(item)
            return .gone
        } catch {
            tolerated(error as? VaultError ?? VaultError(.storageUnavailable, "leftover: \(error)"))
            return .leftBehind
        }
    }
}

// Reading and writing.
extension CredentialVault {
    /// Reads the key behind biometrics: the read includes the prompt, and the key is its only success (C21).
    private func releaseKey(_ prompt: PromptText?) async throws(VaultError) -> ReleasedKey {
        guard let record, let prompt else { throw VaultError(.promptCancelled) }
        guard condition != .keyGone else {
            // Another process may have replaced the item, and then nothing is lost.
            guard try store.record(named: name) == record else { throw VaultError(.busy, "stored meanwhile") }
            throw VaultError(.biometricsChanged)
        }
        return ReleasedKey(try await secret(of: record, prompt), of: record.item, at: device.clock())
    }

    /// Opens the stored credentials with a released key, or with the item that needs no prompt.
    private func open(_ key: ReleasedKey?) async throws(VaultError) -> SecretBytes {
        guard let record else { throw VaultError(.credentialsMissing) }
        if let key, key.item == record.item { return try record.open(with: key.secret) }
        guard record.protection == .keychain else { throw VaultError(.credentialsLocked) }
        return try record.open(with: await secret(of: record, PromptText(reason: name.text)))
    }

    private func secret(of record: CredentialRecord, _ prompt: PromptText) async throws(VaultError) -> RandomSecret {
        do throws(DeviceRefusal) {
            return try await secret(in: record.item, prompt)
        } catch {
            // Another process may have replaced the item, and then nothing is lost.
            guard try store.record(named: name) == record else { throw VaultError(.busy, "stored meanwhile") }
            guard error == .absent, record.protection == .keychain else {
                throw VaultError(error, at: .readCredentials)
            }
            throw VaultError(.credentialsNotRead, "the item is gone")
        }
    }

    private func secret(in item: ItemName, _ prompt: PromptText) async throws(DeviceRefusal) -> RandomSecret {
        var prompt = prompt
        prompt.fallbackTitle = ""  // There is no PIN here.
        let bytes = try await device.store.read(item, prompt: prompt)
        do { return try RandomSecret(loading: bytes) } catch { throw .unclassified }
    }

    /// Stores credentials under a new item, verified before the row refers to it; the old item becomes a leftover
    /// (V-05).
    ///
    /// - Returns: the new key, if a prompt released it.
    private func store(
        _ credentials: consuming SecretBytes,
        behind protection: CredentialProtection,
        _ prompt: PromptText?
    ) async throws(VaultError) -> ReleasedKey {
        let secret = RandomSecret.make()
        let new = try CredentialRecord(
            sealing: credentials,
            named: record?.name ?? name,
            under: secret,
            protection: protection,
            device: device.kind
        )
        try store.note(new.item)
        let readBack = try await keep(secret, of: new, opening: credentials, prompt ?? PromptText(reason: name.text))
        do throws(VaultError) {
            try store.replace(record, by: new)
        } catch {
            // A failed commit may be stored after all; a later durable one decides.
            guard await discard(new.item) == .named else { throw error }
        }
        record = new
        eraseRemoved()
        return ReleasedKey(readBack, of: new.item, at: device.clock())
    }

    /// Saves the key of an unreferenced record, and deletes it again unless it opens the record.
    private func keep(
        _ secret: borrowing RandomSecret,
        of new: CredentialRecord,
        opening credentials: borrowing SecretBytes,
        _ prompt: PromptText
    ) async throws(VaultError) -> RandomSecret {
        do throws(VaultError) {
            let readBack = try await save(secret, as: new, prompt)
            // The reason does not matter: the key that was read back is not the one that was saved.
            guard let opened = try? new.open(with: readBack), SecretBytes.constantTimeEqual(opened, credentials) else {
                throw VaultError(.credentialsNotStored, "read back")
            }
            return readBack
        } catch {
            _ = await discard(new.item)
            throw error
        }
    }

    /// Saves a key, and reads back its protection and its value.
    private func save(
        _ secret: borrowing RandomSecret,
        as new: CredentialRecord,
        _ prompt: PromptText
    ) async throws(VaultError) -> RandomSecret {
        let access = new.protection.access
        do throws(DeviceRefusal) {
            try await device.store.save(secret.copyBytes(), as: new.item, access: access)
            guard let stored = try await device.store.describe(new.item) else { throw .unavailable }
            // Refuse a platform that drops an attribute (A32).
            guard stored == ItemDescription(access: access, staysOnDevice: true) else { throw .weakerThanAsked }
            return try await self.secret(in: new.item, prompt)
        } catch {
            throw VaultError(error, at: .storeCredentials)
        }
    }

    /// Deletes the row; its item becomes a leftover.
    private func erase() throws(VaultError) {
        do throws(VaultError) {
            try store.erase(name)
        } catch {
            // If this fails too, report the first failure.
            guard let item = record?.item, let isLeftover = try? store.confirmLeftover(item), isLeftover else {
                throw error
            }
            tolerated(error)
        }
        eraseRemoved()
    }

    /// Old boxes can't be opened once their item is gone, so they may remain in the log.
    private func eraseRemoved() { do throws(VaultError) { try store.eraseRemoved() } catch { tolerated(error) } }
}

extension CredentialVaultMachine.Request {
    /// Whether it needs a finger or face.
    fileprivate var wantsSensor: Bool {
        switch self {
        case .enableSecureVaultWithBiometrics, .upgradeKeychainWithBiometrics, .downgradeBiometricsToKeychain,
            .unlockWithBiometrics, .reauthenticateOwner:
            true
        case .enableKeychainVault, .disableBiometricsSecureVault, .lock, .read, .reset: false
        }
    }
}
