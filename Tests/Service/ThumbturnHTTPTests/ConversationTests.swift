import Testing
import ThumbturnTestKit

@testable import ThumbturnHTTP

struct ConversationTests {
    /// A conversation whose orders are kept as words.
    private final class Talk {
        private var conversation = Conversation(HTTPLimits(), at: 0)
        private let maximum: Int

        init(maximum: Int = 100) { self.maximum = maximum }

        var reads: Bool { conversation.reads }
        var isIdle: Bool { conversation.isIdle }
        var keepsAlive: Bool { conversation.keepsAlive }
        var omitsBody: Bool { conversation.omitsBody }
        var contentByteCount: Int { conversation.contentByteCount }

        func answered(closes: Bool = false, at now: Int64 = 0) { conversation.answered(closes: closes, at: now) }

        func hear(_ text: String, at now: Int64 = 0) -> String { hear(wire(text)[...], at: now) }

        func hear(_ bytes: ArraySlice<UInt8>, at now: Int64 = 0) -> String {
            conversation.receive(bytes)
            return next(at: now)
        }

        func next(at now: Int64 = 0) -> String {
            return Self.word(
                conversation.next(at: now) { [maximum] head in
                    head.path == "/no" ? .refused(.notFound) : .admitted(maximumBody: maximum)
                }
            )
        }

        func expire(at now: Int64) -> String {
            Self.word(conversation.expire(at: now, idleMilliseconds: 60_000))
        }

        private static func word(_ order: Conversation.Order) -> String {
            switch order {
            case .wait: "wait"
            case .sendContinue: "continue"
            case .hand(let head, let content): "\(head.path) " + String(decoding: content.bytes, as: UTF8.self)
            case .refuse(let refusal): "\(refusal.status)"
            case .close: "close"
            }
        }
    }

    private let post = "POST /a HTTP/1.1\nHost: a\nContent-Length: 5\n"

    @Test func `a request is handed over once it is whole`() {
        let talk = Talk()
        #expect(talk.hear("POST /a HTTP/1.1\nHost: a\n") == "wait")
        #expect(talk.hear("Content-Length: 5\n\nhel") == "wait")
        #expect(talk.contentByteCount == 3)
        #expect(talk.hear("lo") == "/a hello")
        #expect(talk.next() == "wait")
        #expect(!talk.reads)
    }

    @Test(.holds("SVC-1")) func `what is sent ahead waits until the answer before it went out`() {
        let talk = Talk()
        #expect(talk.hear(post + "\nhelloGET /b HTTP/1.1\nHost: a\n\nGET /no HTTP/1.1\nHost: a\n\n") == "/a hello")
        #expect(talk.next() == "wait")
        talk.answered()
        #expect(talk.next() == "/b ")
        talk.answered()
        #expect(talk.next() == "404")
        #expect(talk.keepsAlive)
        talk.answered()
        #expect(talk.next() == "wait")
        #expect(talk.isIdle)
    }

    @Test(.holds("SVC-1")) func `nothing that follows what was refused is taken for a request`() {
        let refused = [
            "GET / HTTP/1.1\nHost: a\nContent-Length: x\n\n", "GET /no HTTP/1.1\nHost: a\nContent-Length: 5\n\nhello",
            "GET /no HTTP/1.1\nHost: a\nConnection: close\n\n",
            "POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\nx\n",
            "POST / HTTP/1.1\nHost: a\nContent-Length: 101\n\n",
        ]
        for text in refused {
            let talk = Talk()
            #expect(Int(talk.hear(text + "GET /b HTTP/1.1\nHost: a\n\n")) != nil)
            #expect(!talk.keepsAlive)
            talk.answered(closes: true)
            #expect(talk.next() == "wait")
            #expect(!talk.reads)
        }
    }

    @Test(.holds("SVC-4")) func `content that is too long is refused before it is sent`() {
        let talk = Talk(maximum: 4)
        #expect(talk.hear(post + "Expect: 100-continue\n\n") == "413")
        #expect(!talk.keepsAlive)
    }

    @Test func `a client that asks is told that its content is welcome, unless it is there already`() {
        let talk = Talk()
        #expect(talk.hear(post + "Expect: 100-continue\n\n") == "continue")
        #expect(talk.next() == "wait")
        #expect(talk.hear("hello") == "/a hello")
        let eager = Talk()
        #expect(eager.hear(post + "Expect: 100-continue\n\nhello") == "/a hello")
    }

    @Test(.holds("SVC-5")) func `a head has its time from its first byte on, however its bytes come`() {
        let talk = Talk()
        #expect(talk.expire(at: 59_000) == "wait")
        for second in 50..<60 { #expect(talk.hear("G", at: Int64(second) * 1_000) == "wait") }
        #expect(talk.expire(at: 60_000) == "wait")
        #expect(talk.expire(at: 60_001) == "408")
        #expect(!talk.keepsAlive)
    }

    @Test(.holds("SVC-5")) func `content has to come as fast as the limit says`() {
        let talk = Talk(maximum: 10_000)
        #expect(talk.hear("POST /a HTTP/1.1\nHost: a\nContent-Length: 10000\n\n", at: 1_000) == "wait")
        #expect(talk.expire(at: 11_000) == "wait")
        #expect(talk.hear(String(repeating: "a", count: 1_024), at: 11_000) == "wait")
        #expect(talk.expire(at: 12_000) == "wait")
        #expect(talk.expire(at: 12_001) == "408")
    }

    @Test(.holds("SVC-5")) func `chunks of nothing but extensions earn no more time than their bytes`() {
        let talk = Talk()
        #expect(talk.hear("POST /a HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n1;") == "wait")
        #expect(talk.hear(String(repeating: "x", count: 1_022)) == "wait")
        #expect(talk.expire(at: 11_000) == "wait")
        #expect(talk.expire(at: 11_001) == "408")
    }

    @Test(.holds("SVC-5")) func `a silent connection is closed without a word, and a worker has all the time it needs`()
    {
        let talk = Talk()
        #expect(talk.expire(at: 60_001) == "close")
        #expect(talk.hear("GET /b HTTP/1.1\nHost: a\n\n", at: 60_002) == "/b ")
        #expect(talk.expire(at: 1_000_000) == "wait")
        talk.answered(at: 1_000_000)
        #expect(talk.expire(at: 1_060_000) == "wait")
        #expect(talk.expire(at: 1_060_001) == "close")
    }

    @Test func `the answer to HEAD has no content`() {
        let talk = Talk()
        _ = talk.hear("HEAD /no HTTP/1.1\nHost: a\n\n")
        #expect(talk.omitsBody)
        talk.answered()
        _ = talk.hear("GET /no HTTP/1.1\nHost: a\n\n")
        #expect(!talk.omitsBody)
    }

    @Test(.holds("SVC-1"), arguments: [UInt64(1), 2, 3])
    func `damaged requests are the same ones in pieces of any size`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let chunked = "POST /a HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n3;x\nhel\n2\nlo\n0\nA: b\n\n"
        let sample = wire(post + "\nhello" + chunked + "GET /b HTTP/1.1\nHost: a\n\n")
        for _ in 0..<2_000 {
            let bytes = random.mutate(sample)
            let size = Int.random(in: 1...9, using: &random)
            let (whole, pieces) = (heard(bytes, inPiecesOf: bytes.count), heard(bytes, inPiecesOf: size))
            #expect(whole == pieces, "seed \(seed), pieces of \(size): \(bytes)")
        }
    }

    private func heard(_ bytes: [UInt8], inPiecesOf size: Int) -> [String] {
        let talk = Talk()
        var words: [String] = []
        for start in stride(from: 0, to: bytes.count, by: max(1, size)) {
            var word = talk.hear(bytes[start...].prefix(size))
            while word != "wait" {
                words.append(word)
                if word != "continue" { talk.answered(closes: !talk.keepsAlive) }
                word = talk.next()
            }
        }
        return words
    }
}
