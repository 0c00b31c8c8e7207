import ThumbturnConsole
import ThumbturnCrypto

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Searches every file below a folder for secrets, in each form that a careless program leaves behind (INV-107-05).
struct SecretScan {
    /// An encoding of a secret, and its name.
    struct Form: Sendable {
        let name: String
        let bytes: [UInt8]
    }

    /// A form that was found, and the file's path.
    struct Finding: Hashable, Sendable {
        let form: String
        let path: String
    }

    let forms: [Form]
    private(set) var fileCount = 0
    private(set) var byteCount = 0

    /// Returns the forms of a secret: unchanged, in UTF-16, in hexadecimal, and in base 64 at each of its three
    /// alignments.
    static func forms(of secret: [UInt8], named name: String) -> [Form] {
        let wide: [UInt8] = secret.flatMap { byte -> [UInt8] in [byte, 0] }
        let digits = TextCode.hexadecimal.encode(secret)
        var forms = [
            Form(name: name, bytes: secret),
            // Without the last zero byte it also matches big-endian UTF-16.
            Form(name: name + " in UTF-16", bytes: wide.dropLast()),
            Form(name: name + " in hexadecimal", bytes: digits),
            Form(
                name: name + " in capital hexadecimal",
                bytes: digits.map { $0 >= UInt8(ascii: "a") ? $0 - 0x20 : $0 }
            ),
        ]
        for skipped in 0..<3 {
            // Leave out digits that depend on the bytes before and after the secret.
            let whole = Array(secret.dropFirst(skipped == 0 ? 0 : 3 - skipped))
            let group = whole.prefix(whole.count / 3 * 3)
            forms.append(Form(name: name + " in base 64", bytes: TextCode.base64.encode(Array(group))))
        }
        return forms
    }

    /// Scans every file below `folder`.
    mutating func findings(below folder: String) -> [Finding] {
        Folders.files(below: folder).flatMap { path in
            let bytes = Folders.contents(of: path)
            fileCount += 1
            byteCount += bytes.count
            return forms.filter { Self.firstIndex(of: $0.bytes, in: bytes) != nil }.map {
                Finding(form: $0.name, path: path)
            }
        }
    }

    /// Returns the index of `needle` in `bytes`.
    static func firstIndex(of needle: [UInt8], in bytes: [UInt8]) -> Int? {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe needle.withUnsafeBytes { needle in
                guard let all = bytes.baseAddress, let start = needle.baseAddress else { return nil }
                let end = bytes.count - needle.count + 1
                var place = 0
                // Use `memchr` and `memcmp`: each byte of each file is searched about a hundred times.
                while place < end, let found = unsafe memchr(all + place, Int32(needle[0]), end - place) {
                    place = unsafe UnsafeRawPointer(found) - all
                    if unsafe memcmp(all + place, start, needle.count) == 0 { return place }
                    place += 1
                }
                return nil
            }
        }
    }
}
