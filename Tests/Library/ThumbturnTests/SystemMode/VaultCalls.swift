import Foundation
import Testing

/// What can be called of a vault.
enum VaultCalls {
    /// The calls of a vault from other rooms with their labels, wherever in the library they are written.
    static func fromOutside() throws -> Set<String> {
        let files = try #require(
            FileManager.default.enumerator(at: repository("Sources"), includingPropertiesForKeys: nil)
        )
        var calls: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            var isVault = false
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            for (number, line) in lines.enumerated() {
                if !line.hasPrefix(" ") {
                    let type = /^(?:[a-z]+ )*(?:actor|class|enum|extension|protocol|struct) ([A-Za-z.]+)/
                    if let found = line.firstMatch(of: type) { isVault = found.1 == "Vault" }
                }
                guard isVault, line.hasPrefix("    p"),
                    let call = line.firstMatch(of: /^    (?:public|package) (?:[a-z]+ )*func ([A-Za-z]+)/)
                else {
                    continue
                }
                let text = ([line[call.1.endIndex...]] + lines[(number + 1)...].prefix(20)).joined(separator: " ")
                calls.insert("\(call.1)(\(labels(of: text)))")
            }
        }
        return calls
    }

    /// The labels of a call, each with its colon, from the text behind its name.
    private static func labels(of text: String) -> String {
        var (depth, parameters) = (0, [""])
        for character in text.drop(while: { $0 != "(" }) {
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if depth == 0 { break }
            if depth == 1, character == "," {
                parameters.append("")
            } else if depth > 1 || character != "(" {
                parameters[parameters.count - 1].append(character)
            }
        }
        return parameters.compactMap { $0.split(whereSeparator: { " :".contains($0) }).first }.map { "\($0):" }.joined()
    }

    /// The calls of a vault that an app sees, as `make check-api` holds them.
    static func ofApps() throws -> Set<String> {
        let call = #/^Vault\.([A-Za-z]+\([^)]*\)): .*func /#
        let lines = try String(contentsOf: repository("docs/api.txt"), encoding: .utf8).split(separator: "\n")
        return Set(lines.compactMap { $0.firstMatch(of: call).map { String($0.1) } })
    }

    private static func repository(_ path: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../../" + path)
    }
}
