public import ExpoModulesCore
import ThumbturnHost

/// The module `Thumbturn` of one JavaScript context, over the app's vault: JSON in, JSON out.
///
/// Numbers are `Double`: Expo's conversion to `Int` traps on a NaN.
public final class ThumbturnModule: Module, @unchecked Sendable {
    // Safe to share: what changes is the main actor's, and an event may be sent on any thread.
    @MainActor private var session: HostSession?

    /// What JavaScript sees.
    public func definition() -> ModuleDefinition {
        Name("Thumbturn")
        Events("onChange")
        OnDestroy { Task { @MainActor in self.session?.end() } }
        Function("open") { (text: String) -> Void in
            let configuration = try HostConfiguration(reading: Array(text.utf8), home: AppVault.home)
            Task { @MainActor in self.open(configuration) }
        }
        Function("fields") { () -> String? in AppVault.fields.value }
        AsyncFunction("send") { (ticket: Double, action: String, secret: Either<String, Double>?) -> String in
            await self.send(ticket, action, secret?.get(), secret?.get())
        }
        Function("cancel") { (ticket: Double) -> Void in Task { @MainActor in self.session?.cancel(ticket) } }
        AsyncFunction("ownerSecret") { (request: String, secret: Either<String, Double>?) -> String in
            await self.ownerSecret(request, secret?.get(), secret?.get())
        }
        View(ThumbturnSecretField.self) {
            Events("onEntry")
            Prop("kind") { (view: ThumbturnSecretField, kind: String) in MainActor.assumeIsolated { view.show(kind) } }
        }
        View(ThumbturnCover.self) {}
    }

    /// Ends the session of the context before, if nobody said that it went: Expo does not always.
    @MainActor private func open(_ configuration: HostConfiguration) {
        session = AppVault.open(configuration) { [weak self] in self?.sendEvent("onChange", ["value": $0]) }
    }

    @MainActor private func send(
        _ ticket: Double,
        _ action: String,
        _ text: String?,
        _ number: Double?
    ) async -> String {
        guard let session else { return HostAnswer(refusing: HostError.notOpen, in: .english).json }
        return await session.send(ticket, action, secret: text, number: number).json
    }

    @MainActor private func ownerSecret(_ request: String, _ text: String?, _ number: Double?) async -> String {
        guard let session else { return HostAnswer(refusing: HostError.notOpen, in: .english).json }
        return await session.run { try await OwnerRequest.answer(request, session.text(text, number: number)) }
    }
}
