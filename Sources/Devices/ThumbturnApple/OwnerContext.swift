import Foundation
import LocalAuthentication
import ThumbturnDevice
import ThumbturnRules

/// One `LAContext` for one operation: it shows the prompt, opens the item, and is not used again.
///
/// An evaluated context continues to open items, even after the enrolled set has changed. So it never becomes a
/// session.
final class OwnerContext: @unchecked Sendable {
    // Safe to share, although `LAContext` may not be: one task sets it up and evaluates it; after that the keychain's
    // queue reads with it; and `invalidate` is meant to be called at any time, from any thread.
    let context = LAContext()
    private let policy: LAPolicy
    private let reason: String

    private init(for access: AccessControl, _ text: PromptText) {
        // The passcode opens only items for any biometry (A31).
        policy =
            access == .anyBiometryOrPasscode ? .deviceOwnerAuthentication : .deviceOwnerAuthenticationWithBiometrics
        reason = text.reason
        context.localizedCancelTitle = text.cancelTitle
        context.localizedFallbackTitle = text.fallbackTitle
    }

    /// Shows one prompt and, unless it fails, runs `body` with its context, which ends with it.
    ///
    /// A prompt that did not fail proves nothing, because the app's calls of the system can be hooked. The only success
    /// is what `body` reads with the context, and that read can't prompt again.
    ///
    /// - Throws: why the owner was not recognised, or what `body` throws.
    static func asking<R: ~Copyable>(
        for access: AccessControl,
        _ text: PromptText,
        _ body: (OwnerContext) async throws(DeviceRefusal) -> R
    ) async throws(DeviceRefusal) -> R {
        // The system ends an app that gives an empty reason.
        guard !text.reason.isEmpty else { throw .unclassified }
        return try await PromptGate.shared.pass { () async throws(DeviceRefusal) in
            var owner = OwnerContext(for: access, text)
            var failure = await owner.evaluate()
            if failure == .invalidContext, !Task.isCancelled {
                // The service behind it ended, and its new instance does not know this context.
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

    /// Evaluates the policy; cancelling the task dismisses the prompt.
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
    /// Returns a context that never shows anything.
    static func quiet() -> LAContext {
        let context = LAContext()
        context.interactionNotAllowed = true
        return context
    }

    /// Returns why `policy` can't be evaluated now, without a prompt; nil when it can.
    func obstacle(to policy: LAPolicy) -> LAError.Code? {
        var error: NSError?
        guard unsafe !canEvaluatePolicy(policy, error: &error) else { return nil }
        return error.map(LAError.Code.init(reported:)) ?? .invalidContext
    }
}

extension LAError.Code {
    /// Returns the code of an error reported by the system; `invalidContext` for another kind of error, such as a lost
    /// connection to the service.
    init(reported error: any Error) {
        let error = error as NSError
        let code = error.domain == LAErrorDomain ? LAError.Code(rawValue: error.code) : nil
        self = code ?? .invalidContext
    }
}
