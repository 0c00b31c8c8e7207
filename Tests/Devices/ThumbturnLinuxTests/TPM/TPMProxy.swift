import Foundation
import Glibc
import ThumbturnTestKit

/// Somebody on the bus: passes on every command and answer, keeps them, and may do something before a command arrives.
final class TPMProxy: Sendable {
    let socket: String
    var tcti: String { "swtpm:path=" + socket }
    private let tpm: SoftwareTPM
    private let listeners: [CInt]
    private let kept = Shared<[[UInt8]]>([])
    private let answers = Shared<[[UInt8]]>([])
    private let hook = Shared<(@Sendable (Int) -> Void)?>(nil)
    private let intruder = Shared<(@Sendable (Int, [UInt8]) -> [UInt8]?)?>(nil)

    private let forger = Shared<(@Sendable ([UInt8], [UInt8]) -> [UInt8])?>(nil)
    private let swap = Shared<(@Sendable ([UInt8]) -> [UInt8]?)?>(nil)

    init(before tpm: SoftwareTPM) throws {
        self.tpm = tpm
        socket = tpm.folder + "/p"
        listeners = try [socket, socket + ".ctrl"].map(Self.listen)
        let (commands, control) = (listeners[0], listeners[1])
        Thread.detachNewThread { [weak self] in
            while case let client = accept(commands, nil, nil), client >= 0 {
                self?.passCommands(client)
                close(client)
            }
            close(commands)
        }
        let controlPath = tpm.socket + ".ctrl"
        Thread.detachNewThread {
            while case let client = accept(control, nil, nil), client >= 0 {
                Thread.detachNewThread { Self.passBytes(client, to: controlPath) }
            }
            close(control)
        }
    }

    deinit {
        // This ends the threads, and they close: by a number that was closed here they would take the next proxy's clients.
        for file in listeners { shutdown(file, CInt(SHUT_RDWR)) }
    }

    /// The commands so far.
    var commands: [[UInt8]] { kept.value }
    /// Their codes.
    var codes: [UInt32] { commands.map { $0[6..<10].reduce(0) { $0 << 8 | UInt32($1) } } }
    /// Everything that went over the wire.
    var traffic: Data { Data(commands.joined()) + Data(answers.value.joined()) }

    func forget() {
        kept.change { $0 = [] }
        answers.change { $0 = [] }
    }

    /// Does something before the commands that follow arrive; they are counted from 0.
    func beforeEach(_ body: (@Sendable (Int) -> Void)?) {
        forget()
        hook.change { $0 = body }
    }

    /// Lets another program's command come in before one that follows, which it is shown; what it is answered is dropped.
    func intrude(_ body: (@Sendable (Int, [UInt8]) -> [UInt8]?)?) {
        forget()
        intruder.change { $0 = body }
    }

    /// Answers in the TPM's place: it is shown each command, and what the TPM answered.
    func forge(_ body: (@Sendable ([UInt8], [UInt8]) -> [UInt8])?) {
        forget()
        forger.change { $0 = body }
    }

    /// Sends another command in the place of one; nil lets it pass.
    func replace(_ body: (@Sendable ([UInt8]) -> [UInt8]?)?) { swap.change { $0 = body } }

    private func passCommands(_ client: CInt) {
        guard let server = try? SoftwareTPM.connect(tpm.socket) else { return }
        defer { close(server) }
        while let command = readFrame(client) {
            let number = kept.change { list in
                list.append(command)
                return list.count - 1
            }
            hook.value?(number)
            if let other = intruder.value?(number, command) {
                guard unsafe send(server, other, other.count, CInt(MSG_NOSIGNAL)) == other.count,
                    readFrame(server) != nil
                else { return }
            }
            let passed = swap.value?(command) ?? command
            guard unsafe send(server, passed, passed.count, CInt(MSG_NOSIGNAL)) == passed.count,
                let real = readFrame(server)
            else { return }
            let answer = forger.value?(command, real) ?? real
            answers.change { $0.append(answer) }
            guard unsafe send(client, answer, answer.count, CInt(MSG_NOSIGNAL)) == answer.count else { return }
        }
    }

    /// The control channel, whatever its protocol.
    private static func passBytes(_ client: CInt, to path: String) {
        defer { close(client) }
        guard let server = try? SoftwareTPM.connect(path) else { return }
        defer { close(server) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            var files = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&files, 2, -1) > 0 else { return }
            for (from, to) in [(0, server), (1, client)] where files[from].revents != 0 {
                let count = unsafe recv(files[from].fd, &buffer, buffer.count, 0)
                guard count > 0, unsafe send(to, buffer, count, CInt(MSG_NOSIGNAL)) == count else { return }
            }
        }
    }

    private static func listen(_ path: String) throws -> CInt {
        let file = socketFile()
        unsafe unlink(path)
        guard unsafe withAddress(path, { unsafe bind(file, $0, $1) }) == 0, Glibc.listen(file, 8) == 0 else {
            throw SoftwareTPM.Failure(description: "no socket at \(path)")
        }
        return file
    }
}
