import ThumbturnDevice
import ThumbturnRules

/// What stands before an item that a finger guards: who is enrolled, and the prompt.
///
/// Both are answers of the system's fingerprint service. Neither the TPM nor a file ever sees the finger: whoever
/// controls that service, this process or root says "match" and has the item.
struct OwnerGate: Sendable {
    let enrolledSet: @Sendable () async throws(DeviceRefusal) -> [UInt8]
    /// The same as the last look at the readers has shown it, without a question; nil before the first one.
    let lastSet: @Sendable () async -> Result<[UInt8], DeviceRefusal>?
    let owner: any OwnerPrompt

    /// - Parameter lastSet: asks, unless told otherwise.
    init(
        enrolledSet: @escaping @Sendable () async throws(DeviceRefusal) -> [UInt8],
        lastSet: (@Sendable () async -> Result<[UInt8], DeviceRefusal>?)?,
        owner: any OwnerPrompt
    ) {
        self.enrolledSet = enrolledSet
        self.lastSet =
            lastSet ?? {
                do throws(DeviceRefusal) { return .success(try await enrolledSet()) } catch { return .failure(error) }
            }
        self.owner = owner
    }

    /// The set that a new item is for.
    ///
    /// It may be one that is over by now: then the item is found to be of another set when it is next read or described.
    ///
    /// - Parameter former: that of the items which end together with it, for where nobody has looked: all are of one set.
    /// - Throws: `.notEnrolled`, and why nobody can say.
    func setOfNew(besides former: () async throws(DeviceRefusal) -> [UInt8]?) async throws(DeviceRefusal) -> [UInt8] {
        if let last = await lastSet() { return try last.get() }
        if let former = try await former(), !former.isEmpty { return former }
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
    /// It asks nobody, and goes by the last look at the readers: a description is wanted under the vault's lock, where no service
    /// is waited for. What nobody could say says nothing: where the reader was pulled out, the PIN must open as ever. A read
    /// asks `isStill`, and there no answer is a refusal.
    func mayStillBe(_ set: [UInt8]?) async -> Bool {
        guard let set, let last = await lastSet() else { return true }
        return switch last {
        case .success(let now): now == set
        case .failure(let refusal): refusal != .notEnrolled
        }
    }

    /// `isStill` as a value, for a caller that works meanwhile.
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
        // A task that has ended gets nothing, whatever the finger said.
        guard !Task.isCancelled else { throw .cancelledBySystem }
    }
}
