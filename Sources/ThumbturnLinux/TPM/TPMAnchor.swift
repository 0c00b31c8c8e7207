import CTSS2
public import ThumbturnDevice
public import ThumbturnRules

/// Counters in the TPM, one for each device secret: restoring files leaves them where they are.
///
/// Who may use the TPM may raise them, which only adds demands; with an empty owner password he may also remove one, which
/// reads as an anchor that was never made. None can be lowered. A software TPM's are rolled back with its state (A9).
public struct TPMAnchor: Anchor {
    let tpm: TPM
    let folder: PrivateFolder

    /// How far one call raises: each step is a write to the TPM's memory.
    static let maximumRise: UInt64 = 4_096

    /// Reads a counter; nil when the TPM has none, or another TPM had it.
    public func value(for secret: ItemName) async throws(DeviceRefusal) -> UInt64? {
        try await talk(secret, onAnotherTPM: nil) { context, parent throws(TPMFailure) in
            guard let counter = try context.counter(Self.key(secret)), counter.isWritten else { return nil }
            return Self.count(try context.value(of: counter, try context.session(with: parent)))
        }
    }

    /// Raises a counter, step by step, or makes one that begins at `value`.
    ///
    /// - Throws: `.unavailable` also where the owner hierarchy has a password, and for a rise of more than 4,096.
    @discardableResult
    public func raise(to value: UInt64, for secret: ItemName) async throws(DeviceRefusal) -> UInt64? {
        guard value > 0 else { return try await self.value(for: secret) }
        return try await talk(secret, onAnotherTPM: .unavailable) { context, parent throws(TPMFailure) in
            let session = try context.session(with: parent)
            guard let counter = try context.counter(Self.key(secret)) else {
                return try Self.make(value, for: secret, in: context, session)
            }
            guard counter.isWritten else {
                // Made, and never begun, by a call that was cut short.
                try context.undefine(counter)
                return try Self.make(value, for: secret, in: context, session)
            }
            let former = try context.value(of: counter, session)
            guard former < value else { return former }
            guard value - former <= Self.maximumRise else { throw .gaveUp }
            for _ in former..<value { try context.raise(counter, session) }
            let now = try context.value(of: counter, session)
            // Somebody without our lock raised it too: then nobody may believe to have moved it alone (A12).
            return now == value ? Self.count(former) : now
        }
    }

    /// Removes a counter, and what an attempt to make it left; one that is absent is removed already.
    public func remove(for secret: ItemName) async throws(DeviceRefusal) {
        _ = try await talk(secret, onAnotherTPM: nil) { context, _ throws(TPMFailure) in
            for key in [Self.key(secret), Self.probeKey(secret)] {
                if let counter = try context.counter(key) { try context.undefine(counter) }
            }
            return nil
        }
    }

    /// Makes a counter that stands at `value`.
    ///
    /// A TPM's counter begins one above all that ever were. Where that is, another one tells that is made for it and
    /// removed; what others do to the TPM meanwhile shows at the end, and then it is done again.
    private static func make(
        _ value: UInt64,
        for secret: ItemName,
        in context: TPMContext,
        _ session: ESYS_TR
    ) throws(TPMFailure) -> UInt64? {
        for _ in 0..<8 {
            let highest = try context.tryCounter(probeKey(secret)) { probe throws(TPMFailure) in
                try context.raise(probe, session)
                return try context.value(of: probe, session)
            }
            let counter = try context.define(key(secret), base: highest &+ 1 &- value)
            try context.raise(counter, session)
            if try context.value(of: counter, session) == value { return nil }
            try context.undefine(counter)
        }
        throw .gaveUp
    }

    static func key(_ secret: ItemName) -> TPMCounterKey { TPMCounterKey(purpose: "anchor", name: secret.text) }
    static func probeKey(_ secret: ItemName) -> TPMCounterKey { TPMCounterKey(purpose: "probe", name: secret.text) }

    /// A counter that stands at 0 was not made.
    private static func count(_ value: UInt64) -> UInt64? { value == 0 ? nil : value }

    /// Runs a conversation with the TPM that has the device secret, while nobody else is in the folder.
    ///
    /// - Parameter refusal: what is said where another TPM answers; nil for an anchor that isn't there.
    private func talk(
        _ secret: ItemName,
        onAnotherTPM refusal: DeviceRefusal?,
        _ body: @escaping @Sendable (TPMContext, TPMContext.Parent) throws(TPMFailure) -> UInt64?
    ) async throws(DeviceRefusal) -> UInt64? {
        try await tpm.thread.run { () throws(DeviceRefusal) in
            try folder.withLock { folder throws(DeviceRefusal) in
                let home = try folder.sealedRecord(secret.fileName, .deviceSecret)?.home
                return try tpm.talk { context throws(TPMFailure) in
                    do throws(TPMFailure) {
                        guard let home else { return .success(try body(context, try context.parent())) }
                        return .success(try body(context, try context.parent(named: home)))
                    } catch {
                        guard error == .anotherTPM else { throw error }
                        return refusal.map { .failure($0) } ?? .success(nil)
                    }
                } as Result<UInt64?, DeviceRefusal>
            }.get()
        }
    }
}
