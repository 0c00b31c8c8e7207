extension View {
    /// What the system may blur in a picture of its own.
    public func privacySensitive(_ sensitive: Bool = true) -> some View {
        changed { node, _ in if sensitive { node.isPrivate = true } }
    }
}

extension Window {
    /// What is marked as private, as it looks.
    public var privateTexts: [String] { marked.map { $0.text() } }

    /// Every accessibility value on the screen, which other programs may read and log.
    public var accessibilityValues: [String] { valued.compactMap(\.value) }
}
