import Testing
import ThumbturnCrypto
import ThumbturnRules

@testable import ThumbturnService

@Suite("The rules of accounts") struct AccountRuleTests {
    @Test(arguments: ["a", "alice@example.org", "a.b_c+d@e-f", "0", String(repeating: "z", count: 64)])
    func `a name is 1 to 64 characters of a few`(text: String) {
        #expect(AccountName(text)?.text == text)
    }

    @Test(arguments: [
        "", String(repeating: "z", count: 65), "Alice", "a b", " a", "a\n", "a/b", "é", "e\u{301}", "аlice", "a\0",
        "a%",
    ])
    func `another text is no name, so no name looks like another`(text: String) {
        #expect(AccountName(text) == nil)
    }

    @Test(arguments: [(19_456, 2), (65_536, 3), (262_144, 10)])
    func `a cost lies within the bounds`(memory: Int64, passes: Int64) {
        #expect(KDFChoice(memoryKiB: memory, passes: passes) != nil)
    }

    @Test(
        .holds("SRP-21"),
        arguments: [(19_455, 2), (19_456, 1), (262_145, 10), (262_144, 11), (8, 3), (-1, 3), (.max, 3)]
    )
    func `a cost outside is refused`(memory: Int64, passes: Int64) {
        #expect(KDFChoice(memoryKiB: memory, passes: passes) == nil)
    }

    @Test func `a login is fresh for less than five minutes, and its age is not judged by a clock that was set back`() {
        let login = ServiceTime(1_700_000_000_000)
        #expect(LoginAge.isFresh(since: login, at: login))
        #expect(LoginAge.isFresh(since: login, at: login + .minutes(5) - Milliseconds(1)))
        #expect(!LoginAge.isFresh(since: login, at: login + .minutes(5)))
        #expect(LoginAge.isFresh(since: login, at: login - .minutes(1)))
        #expect(!LoginAge.isFresh(since: login, at: login - .minutes(2)))
    }

    @Test(.holds("SVC-18")) func `an envelope is replaced by who knows it`() throws {
        let (former, digest) = ([1, 2, 3] as [UInt8], SHA256.digest([1, 2, 3]))
        try EnvelopeRule.check(nil, replacing: nil, previous: nil)
        try EnvelopeRule.check([4], replacing: nil, previous: nil)
        try EnvelopeRule.check([4], replacing: former, previous: digest)
        #expect(throws: EnvelopeRule.Breach.missing) {
            try EnvelopeRule.check(nil, replacing: former, previous: digest)
        }
        #expect(throws: EnvelopeRule.Breach.moved) { try EnvelopeRule.check([4], replacing: former, previous: nil) }
        #expect(throws: EnvelopeRule.Breach.moved) { try EnvelopeRule.check([4], replacing: [9], previous: digest) }
        #expect(throws: EnvelopeRule.Breach.moved) { try EnvelopeRule.check([4], replacing: nil, previous: digest) }
        #expect(throws: EnvelopeRule.Breach.moved) { try EnvelopeRule.check(nil, replacing: nil, previous: digest) }
    }
}
