import Testing
import ThumbturnFiles
import ThumbturnHTTP
import ThumbturnJSON

@testable import ThumbturnPlayground

@Suite struct BoardTests {
    @Test func `two pages that wait see one change, and the end`() throws {
        let board = Board(hasService: false)
        let head = #"{"hasService":false,"isServiceAway":false,"revision":"#
        board.show(["app": ["isRunning": .bool(true)]])
        let seen = Monitor<[String]>([])
        func wait(after revision: Int64) {
            guard case .later(let begin) = board.answer(after: revision) else {
                Issue.record("answered at once")
                return
            }
            begin(
                HTTPReply {
                    HTTPResponse(status: 500)
                } give: { response in
                    seen.change { $0.append(String(decoding: response.body, as: UTF8.self)) }
                }
            )
        }
        wait(after: 1)
        wait(after: 1)
        #expect(seen.change { $0 } == [])
        board.show(["app": ["isRunning": .bool(true)], "n": .integer(2)])
        #expect(
            seen.change { $0 }
                == Array(repeating: head + #"2,"state":{"app":{"isRunning":true},"n":2}}"#, count: 2)
        )
        wait(after: 2)
        board.end()
        #expect(seen.change { $0.last } == head + #"3,"state":{"app":{"isRunning":false},"n":2}}"#)
        guard case .now = board.answer(after: 3) else {
            Issue.record("waits for what never comes")
            return
        }
        board.attend()
    }

    @Test func `a page that knows another state is answered at once`() throws {
        let board = Board(hasService: false)
        for revision in [nil, 1, -1, Int64.max] {
            guard case .now(let response) = board.answer(after: revision) else {
                Issue.record("waits")
                continue
            }
            #expect(response.status == 200)
        }
    }
}
