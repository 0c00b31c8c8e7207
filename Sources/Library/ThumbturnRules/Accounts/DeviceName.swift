/// The owner's name for a device of an account; the service can read it.
package struct DeviceName: Hashable, Sendable {
    /// A regular expression for valid names.
    package static let pattern =
        "^[^\\u0000-\\u001F\\u007F-\\u009F\\u061C\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uFEFF\\uFFF9-\\uFFFB]{1,64}$"

    /// The name as entered.
    package let text: String

    /// Accepts 1 to 64 Unicode scalars without line ends, control characters, or characters that change how others are
    /// shown; nil for anything else.
    package init?(_ text: String) {
        let scalars = text.unicodeScalars
        guard !scalars.isEmpty, scalars.count <= 64, scalars.allSatisfy({ Self.isShown($0.value) }) else { return nil }
        self.text = text
    }

    private static func isShown(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB:
            false
        default: true
        }
    }
}
