import Glibc
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnFiles

/// The phone as a process of its own: lines on its standard input and output, secrets on descriptor 3.
///
/// It ends when its input does, and takes its folder with it.
enum PhoneFace {
    static let word = "phone"
    static let secrets = SecretPipe(descriptor: 3)

    /// - Parameter service: the address of the account service, for an app with an account.
    /// - Returns: the exit code.
    @MainActor static func run(_ folder: String, service: String?) async -> Int32 {
        let place = PhonePlace(folder: folder)
        let output = PhoneOutput(lines: STDOUT_FILENO, secrets: secrets)
        guard let phone = try? Phone(place, service: service, output: output) else { return 3 }
        await phone.start()
        let (orders, line) = AsyncStream.makeStream(of: Order.self)
        // Reading blocks, so it has a thread of its own.
        let thread = SystemThread {
            let lines = LineReader(STDIN_FILENO)
            while let bytes = lines.next(), let next = PhoneLine(reading: bytes) {
                var secret: HeldSecret?
                if next.takesSecret {
                    guard let received = secrets.receive() else { break }
                    secret = HeldSecret(received)
                }
                line.yield(Order(line: next, secret: secret))
            }
            line.finish()
        }
        guard let thread else { return 3 }
        thread.detach()
        // Not one after the other: a touch has to reach the prompt that an earlier line waits for.
        for await order in orders { Task { await phone.handle(order.line, order.secret) } }
        // Whatever still waits, the process goes.
        Task.detached {
            try? await Task.sleep(nanoseconds: 1_000_000_000)
            Folders.remove(folder)
            exit(0)
        }
        await phone.end()
        Folders.remove(folder)
        return 0
    }

    private struct Order: Sendable {
        let line: PhoneLine
        let secret: HeldSecret?
    }
}
