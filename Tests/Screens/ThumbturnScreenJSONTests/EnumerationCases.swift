import Foundation
import ThumbturnTestKit

/// Reads the cases of an enumeration from the sources, so that a new one is found that a table does not have.
enum EnumerationCases {
    /// - Parameter path: the file, below `Sources`.
    static func names(of enumeration: String, in path: String) throws -> Set<String> {
        let source = try String(contentsOfFile: VectorFolder.own + "/../../Sources/" + path, encoding: .utf8)
        var names: Set<String> = []
        var depth: Int?
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let indent = line.prefix { $0 == " " }.count
            let words = line.split(separator: " ")
            if let place = words.firstIndex(of: "enum"),
                words.dropFirst(place + 1).first.map({ $0.hasPrefix(enumeration + ":") }) == true
            {
                depth = indent
            } else if let start = depth {
                if indent == start, words.first == "}" { return names }
                guard indent == start + 4, words.first == "case" else { continue }
                let list = line.dropFirst(indent + 5)
                for name in list.split(separator: ",") {
                    let word = name.drop { $0 == " " || $0 == "`" }.prefix { $0.isLetter || $0.isNumber }
                    // What stands in brackets behind a case is a value's type, not a case.
                    guard word.first?.isLowercase == true else { continue }
                    names.insert(String(word))
                    if name.contains("(") { break }
                }
            }
        }
        return names
    }
}
