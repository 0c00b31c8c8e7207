#if os(Linux)
import Foundation
import Glibc
import Testing
import ThumbturnConsole

@testable import ThumbturnCommand

extension Box {
    /// What a terminal of so many columns shows of a command, with the lines that it was given on descriptor 3.
    func screen(
        _ words: [String],
        columns: Int,
        _ secrets: [String]? = nil,
        _ variables: [String: String] = [:]
    ) throws -> String {
        let keyboard = try Keyboard()
        keyboard.resize(toColumns: columns)
        // What was written last would be gone once nobody holds this end.
        let held = unsafe open(keyboard.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(held) }
        let lines = folder + "/lines"
        try Data((secrets ?? []).map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: lines))
        let child = try RunningChild(
            "/bin/sh",
            ["-c", "exec >\"$0\" 2>&1 3<\"$1\"; shift; \"$@\"; printf '\\001'", keyboard.path, lines, Self.tool]
                + (secrets == nil ? [] : ["--secret-fd", "3"]) + words,
            environment: environment(["TERM": "xterm", "NO_COLOR": "1"].merging(variables) { $1 }),
            hasSecrets: false
        )
        let shown = keyboard.bytes(upTo: 1)
        _ = child.finish()
        return String(decoding: shown.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }
}

extension Keyboard {
    /// Makes the terminal so wide.
    func resize(toColumns columns: Int) {
        var size = winsize(ws_row: 50, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        unsafe #expect(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
    }

    /// What the terminal shows until a byte comes, which ends it.
    fileprivate func bytes(upTo end: UInt8) -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while all.last != end {
            var event = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            let isReady = unsafe poll(&event, 1, 120_000) == 1
            let count = isReady ? unsafe read(master, &chunk, chunk.count) : 0
            guard count > 0 else {
                Issue.record("the terminal showed no end, but \(String(decoding: all, as: UTF8.self))")
                return all
            }
            all += chunk.prefix(count)
        }
        return all.dropLast()
    }
}
#endif
