/// What is known of pictures that others take of this screen.
public struct CaptureFields: Hashable, Sendable {
    /// Whether the screen is being recorded, mirrored or shared at the moment.
    public var isCaptured: Bool
    /// The number of screenshots that the owner has taken since the app began to count.
    public var screenshots: Int

    /// Creates fields; none are known at first.
    public init(isCaptured: Bool = false, screenshots: Int = 0) {
        self.isCaptured = isCaptured
        self.screenshots = screenshots
    }
}
