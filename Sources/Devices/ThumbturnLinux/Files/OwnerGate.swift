import ThumbturnDevice
import ThumbturnRules

/// Guards an item behind a finger: checks the enrolled set, and prompts.
///
/// Both answers come from the system's fingerprint service. Neither the TPM nor a file ever sees the finger: an
/// attacker who controls that service, this process or root can report a match and gets the item.
struct OwnerGate: Sendable {
    let enrolledSet: @Sendable () async throws(DeviceRefusal) -> [UInt8]
    /// Returns the enrolled set of the last look at the readers, without asking them; nil before the first look.
    let lastSet: @Sendable () async -> Result<[UInt8], DeviceRefusal>?
    let owner: any OwnerPrompt

    /// - Parameters:
    ///   - owner: called once by each read of a guarded item.
    ///   - lastSet: for calls that must not ask the reader; nil uses `enrolledSet`.
    ///   - enrolledSet: returns a digest, at most 100 bytes, of the enrolled fingers; throws `.notEnrolled` if there
    ///     are none.
    init(
        owner: any OwnerPrompt,
        lastSet: (@Sendable () async -> Result<[UInt8], DeviceRefusal>?)? = nil,
        enrolledSet: @escaping @Sendable () async throws(DeviceRefusal) -> [UInt8]
    ) {
        self.enrolledSet = enrolledSet
        self.lastSet =
            lastSet ?? {
                do throws(DeviceRefusal) { return .success(try await enrolledSet()) } catch { return .failure(error) }
            }
        self.owner = owner
    }

    /// Returns the enrolled set for a new item.
    ///
    /// It may be out of date already; the next read or description of the item then finds that it belongs to another
    /// set.
    ///
    /// If there was no look yet, it is that of the items in the folder that end together with it: all are of one set.
    ///
    /// - Throws: `.notEnrolled`, or why the set is unknown.
    func setOfNew(
        _ name: ItemName,
        in folder: PrivateFolder,
        on thread: WorkThread
    ) async throws(DeviceRefusal) -> [UInt8] {
        if let last = await lastSet() { return try last.get() }
        let former = try await thread.run { () throws(DeviceRefusal) in
            try folder.withLock { folder throws(DeviceRefusal) in
                try folder.guardedItems(with: name).values.compactMap(\.enrolledSet).first { !$0.isEmpty }
            }
        }
        if let former { return former }
        return try await enrolledSet()
    }

    /// Whether the enrolled set is still `set`; an empty one is a change too.
    func isStill(_ set: [UInt8]) async throws(DeviceRefusal) -> Bool {
        do throws(DeviceRefusal) {
            return try await enrolledSet() == set
        } catch {
            guard error == .notEnrolled else { throw error }
            return false
        }
    }

    /// Whether nothing shows that the enrolled set differs from `set`; true as well for an item that no finger guards.
    ///
    /// It uses the last look at the readers and asks no service, since a description happens under the vault's lock,
    /// which must not wait for one. An unknown set is no evidence of a change: with the reader unplugged, the PIN must
    /// still open the vault. A read calls `isStill` instead, and there an unknown set is a refusal.
    func mayStillBe(_ set: [UInt8]?) async -> Bool {
        guard let set, let last = await lastSet() else { return true }
        return switch last {
        case .success(let now): now == set
        case .failure(let refusal): refusal != .notEnrolled
        }
    }

    /// Returns `isStill` as a value, for a caller that works meanwhile.
    func answer(_ set: [UInt8]) async -> Result<Bool, DeviceRefusal> {
        do throws(DeviceRefusal) {
            return .success(try await isStill(set))
        } catch {
            return .failure(error)
        }
    }

    /// Shows the one prompt of a read.
    func prompt(_ text: PromptText) async throws(DeviceRefusal) {
        try await owner.prompt(text)
        // A cancelled task gets nothing, even after a match.
        guard !Task.isCancelled else { throw .cancelledBySystem }
    }
}
