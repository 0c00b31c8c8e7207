/// The visibility of the app, or one of its windows; SwiftUI's scene phase.
public enum AppPhase: Hashable, Sendable, CaseIterable {
    /// In front, and receiving input.
    case active
    /// Perhaps visible, but without input: the app switcher, a call, the system's own prompt.
    case inactive
    /// Not visible.
    case background
}
