package import Foundation

/// Searches the output of a program for secrets: plain, hexadecimal, base64, UTF-16.
package struct LeakScanner {
    private let forms: [(name: String, pattern: Data)]

    /// Creates a scanner for named secrets of at least 6 bytes.
    package init(_ secrets: [String: [UInt8]]) {
        forms = secrets.sorted { $0.key < $1.key }.flatMap { name, bytes in
            Self.forms(of: bytes).map { (name: "\(name) as \($0)", pattern: $1) }
        }
    }

    /// Returns the secrets found in `data`, with their forms.
    package func leaks(in data: Data) -> [String] { forms.filter { data.range(of: $0.pattern) != nil }.map(\.name) }

    /// Returns the secrets found in `text`.
    package func leaks(in text: String) -> [String] { leaks(in: Data(text.utf8)) }

    /// Returns the secrets found in the files below a folder, and in their names.
    package func leaks(below folder: String) throws -> [String] {
        try FolderImage(of: folder).files.flatMap { path, data in
            (leaks(in: path) + leaks(in: data)).map { "\($0) in \(path)" }
        }
    }

    private static func forms(of bytes: [UInt8]) -> [(String, Data)] {
        let hexadecimal = bytes.map { (digits: String($0, radix: 16), isShort: $0 < 16) }
            .map { $0.isShort ? "0" + $0.digits : $0.digits }
            .joined()
        var forms = [
            ("plain", Data(bytes)),
            ("hexadecimal", Data(hexadecimal.utf8)),
            ("HEXADECIMAL", Data(hexadecimal.uppercased().utf8)),
            ("UTF-16LE", Data(bytes.flatMap { [$0, 0] })),
            ("UTF-16BE", Data(bytes.flatMap { [0, $0] })),
        ]
        for shift in 0..<3 {
            let text = base64(of: bytes, after: shift)
            forms.append(("base64", Data(text.utf8)))
            let forLinks = text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            if forLinks != text { forms.append(("base64 for links", Data(forLinks.utf8))) }
        }
        return forms
    }

    /// Returns the base64 digits of `bytes` at any position `shift` bytes after a group of three, without those that
    /// depend on neighbours.
    private static func base64(of bytes: [UInt8], after shift: Int) -> Substring {
        let text = Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString()
        return text.prefix((shift + bytes.count) * 8 / 6).dropFirst((shift * 8 + 5) / 6)
    }
}
