package import Foundation

/// Looks for secrets in what a program wrote: plain, hexadecimal, base64, UTF-16.
package struct LeakScanner {
    private let forms: [(name: String, pattern: Data)]

    /// Takes the secrets by their names; each has at least 6 bytes.
    package init(_ secrets: [String: [UInt8]]) {
        forms = secrets.sorted { $0.key < $1.key }.flatMap { name, bytes in
            Self.forms(of: bytes).map { (name: "\(name) as \($0)", pattern: $1) }
        }
    }

    /// What is found in `data`, by secret and form.
    package func leaks(in data: Data) -> [String] {
        forms.filter { data.range(of: $0.pattern) != nil }.map(\.name)
    }

    /// What is found in `text`.
    package func leaks(in text: String) -> [String] { leaks(in: Data(text.utf8)) }

    /// What is found in the files below a folder, and in their names.
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

    /// The digits that `bytes` have wherever they stand `shift` bytes after a group of three, neighbours left out.
    private static func base64(of bytes: [UInt8], after shift: Int) -> Substring {
        let text = Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString()
        return text.prefix((shift + bytes.count) * 8 / 6).dropFirst((shift * 8 + 5) / 6)
    }
}
