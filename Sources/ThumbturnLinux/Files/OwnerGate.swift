import ThumbturnDevice
import ThumbturnRules

/// What stands before an item that a finger guards: who is enrolled, and the prompt.
///
/// Both are answers of the system's fingerprint service. Neither the TPM nor a file ever sees the finger: whoever
/// controls that service, this process or root says "match" and has the item.
struct OwnerGate: Sendable {
    let enrolledSet: @Sendable () async throws(DeviceRefusal) -> [UInt8]
    let owner: any OwnerPrompt

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
    /// A service that can't be asked says nothing: where the reader was pulled out, the PIN must open as ever. It is for a look
    /// alone. A read asks `isStill`, and there no answer is a refusal.
    func mayStillBe(_ set: [UInt8]?) async -> Bool {
        guard let set, case .success(let isStill) = await answer(set) else { return true }
        return isStill
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
