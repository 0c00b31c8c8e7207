#if canImport(Combine)
public import Combine
#endif
public import Observation
public import ThumbturnRules

/// Drives one screen: a value that its view shows, and one call at a time.
///
/// Observed as an `ObservableObject` on every system, and as an `Observable` from iOS 17 and macOS 14. The members of
/// `fields` are also members of the model. Only this library's own models can be made of it.
@MainActor @dynamicMemberLookup
open class ScreenModel<Fields: Hashable & Sendable> {
    /// The present state of the screen.
    public package(set) final var fields: Fields {
        get {
            if #available(iOS 17, macOS 14, visionOS 1, *) { registrar.access(self, keyPath: path) }
            return shown
        }
        set {
            guard newValue != shown else { return }
            defer { changed?() }
            guard #available(iOS 17, macOS 14, visionOS 1, *) else { return shown = newValue }
            registrar.withMutation(of: self, keyPath: path) { shown = newValue }
        }
    }
    /// The language of messages.
    public var language = Language.english { didSet { show() } }
    /// Whether a call is in progress.
    package final var isCalling = false
    /// The refusal of the last call, until the next one.
    package final var refusal: ErrorCode?
    /// Told after each change of the fields, for a host that observes neither way.
    package final var changed: (@MainActor () -> Void)?

    /// Describes the screen for a model of another room, which can't override `described`.
    package final var describing: (@MainActor () -> Fields)?
    /// Whether the fields stay as they are, for a preview.
    private var isHeld = false

    #if canImport(Combine)
    @Published
    #endif
    private var shown: Fields
    /// Made once: in a generic class each key path is looked up anew, which takes longer than all that an access does.
    private let path: KeyPath<ScreenModel, Fields> = \.fields
    /// An `ObservationRegistrar`, which older systems lack.
    private let observers: any Sendable

    package init(_ fields: Fields) {
        shown = fields
        if #available(iOS 17, macOS 14, visionOS 1, *) { observers = ObservationRegistrar() } else { observers = () }
    }

    /// The present state of the screen, member by member.
    public final subscript<Field>(dynamicMember member: KeyPath<Fields, Field>) -> Field { fields[keyPath: member] }

    /// Derives what the screen shows from the facts that the subclass keeps.
    func described() -> Fields {
        guard let describing else { preconditionFailure("each model describes its screen") }
        return describing()
    }

    /// Shows the present facts.
    package final func show() {
        guard !isHeld else { return }
        fields = described()
    }

    /// Shows these fields from now on, whatever a vault says: for a preview.
    package final func hold(_ fields: Fields) {
        isHeld = true
        self.fields = fields
    }

    /// Removes the last error from the screen.
    public final func resetError() { refuse(nil) }

    package final func refuse(_ code: ErrorCode?) {
        refusal = code
        show()
    }

    /// Runs one call at a time; further calls meanwhile are dropped, like a second tap.
    ///
    /// - Returns: whether the call ran and was not refused.
    @discardableResult
    package final func act(_ body: () async throws(VaultError) -> Void) async -> Bool {
        guard !isCalling else { return false }
        isCalling = true
        refuse(nil)
        do throws(VaultError) {
            try await body()
        } catch {
            // "Locked" is the result of a call that a lock overtook: the screen shows it already (A36).
            refusal = error.code == .locked ? nil : error.code
            isCalling = false
            show()
            return false
        }
        isCalling = false
        show()
        return true
    }
}

@available(iOS 17, macOS 14, visionOS 1, *)
extension ScreenModel: Observable {
    private var registrar: ObservationRegistrar {
        guard let registrar = observers as? ObservationRegistrar else { preconditionFailure("made on an older system") }
        return registrar
    }
}

#if canImport(Combine)
extension ScreenModel: ObservableObject {}
#endif
