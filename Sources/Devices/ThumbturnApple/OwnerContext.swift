import Foundation
import LocalAuthentication
import ThumbturnDevice
import ThumbturnRules

/// One `LAContext`, for one operation: it asks who is there, opens what was asked for, and is of no use afterwards.
///
/// An evaluated context goes on opening items, even after the enrolled set has changed. So it never becomes a session.
final class OwnerContext: @unchecked Sendable {
    // Safe to share, though `LAContext` may not be: one task sets it up and evaluates it; after that the keychain's queue
    // reads with it; and `invalidate`, which may come at any time from any thread, is what Apple made it for.
    let context = LAContext()
    private let policy: LAPolicy
    private let reason: String

    private init(for access: AccessControl, _ text: PromptText) {
        // The passcode opens what any biometry opens, and nothing else (A31).
        policy =
            access == .anyBiometryOrPasscode ? .deviceOwnerAuthentication : .deviceOwnerAuthenticationWithBiometrics
        reason = text.reason
        context.localizedCancelTitle = text.cancelTitle
        context.localizedFallbackTitle = text.fallbackTitle
    }

    /// Shows one prompt and, unless it failed, runs `body` with its context, which ends with it.
    ///
    /// That the prompt did not fail proves nothing: whatever the system says to the app can be hooked. What `body` reads
    /// with the context is the only success, and that read can't ask again.
    ///
    /// - Throws: why the owner was not recognised, or what `body` throws.
    static func asking<R: ~Copyable>(
        for access: AccessControl,
        _ text: PromptText,
        _ body: (OwnerContext) async throws(DeviceRefusal) -> R
    ) async throws(DeviceRefusal) -> R {
        // The system ends the app for an empty reason.
        guard !text.reason.isEmpty else { throw .unclassified }
        return try await PromptGate.shared.pass { () async throws(DeviceRefusal) in
            var owner = OwnerContext(for: access, text)
            var failure = await owner.evaluate()
            if failure == .invalidContext, !Task.isCancelled {
                // The service behind it went away, and a fresh one does not know this context.
                owner = OwnerContext(for: access, text)
                failure = await owner.evaluate()
            }
            defer { owner.context.invalidate() }
            if Task.isCancelled { throw .cancelledBySystem }
            if let failure { throw DeviceRefusal(failure) }
            owner.context.interactionNotAllowed = true
            return try await body(owner)
        }
    }

    /// Evaluates the policy; the end of the task ends the prompt.
    private func evaluate() async -> LAError.Code? {
        guard !Task.isCancelled else { return .appCancel }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                context.evaluatePolicy(policy, localizedReason: reason) { _, error in
                    continuation.resume(returning: error.map(LAError.Code.init(reported:)))
                }
            }
        } onCancel: {
            context.invalidate()
        }
    }
}

extension LAContext {
    /// A context that never shows anything.
    static func quiet() -> LAContext {
        let context = LAContext()
        context.interactionNotAllowed = true
        return context
    }

    /// Why `policy` can't be evaluated now, without asking anybody; nil when it can.
    func obstacle(to policy: LAPolicy) -> LAError.Code? {
        var error: NSError?
        guard unsafe !canEvaluatePolicy(policy, error: &error) else { return nil }
        return error.map(LAError.Code.init(reported:)) ?? .invalidContext
    }
}

extension LAError.Code {
    /// The code of an error that the system reported; `invalidContext` for another kind of error, such as a lost connection
    /// to the service.
    init(reported error: any Error) {
        let error = error as NSError
        let code = error.domain == LAErrorDomain ? LAError.Code(rawValue: error.code) : nil
        self = code ?? .invalidContext
    }
}
