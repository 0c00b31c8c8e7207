import Testing
import ThumbturnRules
import ThumbturnUI

@testable import ThumbturnHost

@Suite struct HostConfigurationTests {
    @Test func `a configuration says where the vault is, and how it speaks`() throws {
        let wallet = try HostConfiguration(
            reading: Array(
                #"{"home":"/home/app","language":"fr","policy":"wallet","secret":{"kind":"pin","length":6}}"#.utf8
            )
        )
        #expect(
            wallet
                == HostConfiguration(
                    home: "/home/app",
                    language: .french,
                    policy: .wallet,
                    secret: .pin(length: 6)
                )
        )
        let account = try HostConfiguration(
            reading: Array(
                #"{"secret":{"length":null,"kind":"password"},"policy":"pd107","home":"/","language":"en"}"#.utf8
            )
        )
        #expect(account.policy == .pd107 && account.secret == .password)
    }

    @Test func `what is no configuration is refused by type, and not repeated`() {
        let whole = #"{"home":"/a","language":"en","policy":"wallet","secret":{"kind":"pin","length":6}}"#
        func changed(_ part: String, _ other: String) -> String { whole.replacing(part, with: other) }
        let unreadable: [String] = [
            "", "{", "\u{FEFF}" + whole, whole + whole, String(repeating: " ", count: 4_097), changed("6", "6.5"),
            changed("\"pin\"", "[[1]]"),
        ]
        let wrong: [String] = [
            "[]", "{}", changed("/a", ""), changed("/a", "\\u0000"), changed("\"en\"", "\"de\""),
            changed("\"en\"", "1"),
            changed("wallet", "none"), changed("\"pin\"", "\"finger\""), changed("\"pin\"", "\"password\""),
            changed("6", "0"), changed("6", "33"), changed(",\"length\":6", ""),
            changed("\"home\"", "\"more\":1,\"home\""),
        ]
        let all = unreadable.map { ($0, HostError.configurationNotJSON) } + wrong.map { ($0, .configurationWrong) }
        for (text, expected) in all {
            #expect(throws: expected, "\(text)") { try HostConfiguration(reading: Array(text.utf8)) }
        }
    }
}

extension String {
    fileprivate func replacing(_ part: String, with other: String) -> String {
        guard let found = firstRange(of: part) else { return self }
        return String(self[..<found.lowerBound]) + other + String(self[found.upperBound...])
    }

    private func firstRange(of part: String) -> Range<Index>? {
        indices.lazy.map { self[$0...] }.first { $0.hasPrefix(part) }.flatMap { rest in
            index(rest.startIndex, offsetBy: part.count, limitedBy: endIndex).map { rest.startIndex..<$0 }
        }
    }
}
