#if os(Linux)
import Foundation

/// A call to the kernel that succeeded, as strace tells it: `1764000000.123456 fsync(5</folder/file>) = 0`.
struct DiskCall {
    let line: String
    let name: String
    /// What it names: of a file that is written or synced the file, of a rename or a link both names.
    let paths: [String]

    init?(_ line: String) {
        guard let start = line.firstIndex(of: " "), let open = line.firstIndex(of: "("),
            let end = line.range(of: ") ", options: .backwards), !line[end.upperBound...].hasPrefix("= -1")
        else { return nil }
        self.line = line
        name = String(line[line.index(after: start)..<open])
        var paths: [String] = []
        var folder = ""
        var rest = line[open..<end.lowerBound]
        while let mark = rest.firstIndex(where: { $0 == "<" || $0 == "\"" }) {
            let isName = rest[mark] == "\""
            rest = rest[rest.index(after: mark)...]
            guard let close = rest.firstIndex(of: isName ? "\"" : ">") else { return nil }
            let text = String(rest[..<close])
            rest = rest[rest.index(after: close)...]
            if isName {
                paths.append(Self.resolved(text.hasPrefix("/") ? text : folder + "/" + text))
            } else {
                folder = text
            }
        }
        let isOfFile = ["fsync", "fdatasync", "write", "pwrite64", "ftruncate"].contains(name)
        self.paths = isOfFile ? [folder] : paths
    }

    /// With links in its folder followed, as strace does it for what is open.
    private static func resolved(_ path: String) -> String {
        let url = URL(fileURLWithPath: path)
        return url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + url.lastPathComponent
    }

    var isSync: Bool { name.contains("sync") }
    var makes: Bool { line.contains("O_CREAT") }

    /// Whether it brings the name of that file to the disk.
    func isSync(of path: String) -> Bool { isSync && paths == [(path as NSString).deletingLastPathComponent] }
}
#endif
