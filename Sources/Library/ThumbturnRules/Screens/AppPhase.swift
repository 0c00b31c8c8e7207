/// Where the app, or one of its windows, stands before the user; SwiftUI calls it the phase of a scene.
public enum AppPhase: Hashable, Sendable, CaseIterable {
    /// In front, and touched.
    case active
    /// Seen, perhaps, but not touched: the app switcher, a call, the system's own prompt.
    case inactive
    /// Not seen.
    case background
}
