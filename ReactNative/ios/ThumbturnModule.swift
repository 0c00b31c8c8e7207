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
            AppVault.fields.opens()
            Task { @MainActor in self.open(configuration) }
        }
        Function("fields") { () -> String? in AppVault.fields.text }
        Function("isAsking") { () -> Bool in SharedHost.isAsking }
        AsyncFunction("send") { (ticket: Double, action: String, secret: Either<String, Double>?) -> String in
            await self.send(ticket, action, secret?.get(), secret?.get())
        }
        Function("cancel") { (ticket: Double) -> Void in Task { @MainActor in self.session?.cancel(ticket) } }
        AsyncFunction("ownerSecret") { (request: String, secret: EitherOfThree<String, Double, Data>?) -> Any in
            let text: String? = secret?.get()
            let bytes: Data? = text.map { Data($0.utf8) } ?? secret?.get()
            return await self.ownerSecret(request, bytes.map { [UInt8]($0) }, secret?.get()).forScript
        }
        AsyncFunction("derivedKey") { (label: String) -> Any in await self.derivedKey(label).forScript }
        View(ThumbturnSecretField.self) {
            Events("onEntry")
            Prop("kind") { (view: ThumbturnSecretField, kind: String) in MainActor.assumeIsolated { view.show(kind) } }
            Prop("use") { (view: ThumbturnSecretField, use: String) in MainActor.assumeIsolated { view.use(use) } }
        }
        View(ThumbturnSecretText.self) {
            Prop("number") { (view: ThumbturnSecretText, number: Double) in
                MainActor.assumeIsolated { view.show(number) }
            }
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
        await (session?.send(ticket, action, secret: text, number: number) ?? .notOpen).json
    }

    @MainActor private func ownerSecret(_ request: String, _ secret: [UInt8]?, _ number: Double?) async -> HostAnswer {
        await session?.ownerSecret(request, secret: secret, number: number) ?? .notOpen
    }

    @MainActor private func derivedKey(_ label: String) async -> HostAnswer {
        await session?.derivedKey(label) ?? .notOpen
    }
}

extension HostAnswer {
    static let notOpen = HostAnswer(refusing: HostError.notOpen, in: .english)

    /// As JavaScript gets it: bytes that were asked for, which Expo makes a `Uint8Array` of, or JSON.
    var forScript: Any { withSecret { unsafe $0.withUnsafeBytes { unsafe Data($0) } } ?? json }
}
