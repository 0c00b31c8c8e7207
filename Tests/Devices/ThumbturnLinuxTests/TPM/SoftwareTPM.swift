import Foundation
import Glibc
import ThumbturnTestKit

/// A TPM that is a program, with a state of its own, on a socket in a short folder; it ends with the value.
final class SoftwareTPM: Sendable {
    struct Failure: Error {
        let description: String
    }

    /// Whether there is the program.
    static let isThere = FileManager.default.isExecutableFile(atPath: program)
    private static let program = "/usr/bin/swtpm"

    let folder: String
    var socket: String { folder + "/t" }
    var tcti: String { "swtpm:path=" + socket }
    private let process = Shared<pid_t?>(nil)

    /// Starts a new TPM, in a short folder: a socket's path has at most 107 bytes.
    init() throws {
        folder = "/tmp/tt" + String(UInt32.random(in: .min ... .max), radix: 36)
        try FileManager.default.createDirectory(
            atPath: state,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private var state: String { folder + "/state" }
    private var complaints: String { folder + "/stderr" }

    /// A second one over the same state would be refused by the lock of the first.
    func start() throws {
        guard process.value == nil else { throw Failure(description: "swtpm runs already") }
        let arguments = [
            Self.program, "socket", "--tpm2", "--tpmstate", "dir=\(state)", "--server", "type=unixio,path=\(socket)",
            "--ctrl", "type=unixio,path=\(socket).ctrl", "--flags", "not-need-init,startup-clear",
        ]
        for path in [socket, socket + ".ctrl"] { unsafe unlink(path) }
        var words: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var child = pid_t()
        var files = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&files)
        unsafe posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&files, 2, complaints, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // A socket of another test that lived on here would never be seen to end: tpm2-tss opens them to be inherited.
        for file: CInt in 3..<512 { unsafe posix_spawn_file_actions_addclose(&files, file) }
        defer { unsafe posix_spawn_file_actions_destroy(&files) }
        guard unsafe posix_spawn(&child, Self.program, &files, nil, &words, environ) == 0 else {
            throw Failure(description: "swtpm did not start")
        }
        process.change { $0 = child }
        // It is ready when both sockets take a connection.
        let deadline = Date().addingTimeInterval(20)
        while !(Self.connects(socket) && Self.connects(socket + ".ctrl")) {
            var status: CInt = 0
            if unsafe waitpid(child, &status, WNOHANG) == child {
                process.change { $0 = nil }
                let said = (try? String(contentsOfFile: complaints, encoding: .utf8)) ?? ""
                throw Failure(description: "swtpm ended with \(status): \(said)")
            }
            guard Date() < deadline else { throw Failure(description: "swtpm does not listen") }
            usleep(2_000)
        }
    }

    /// Ends as a power cut does.
    func kill() {
        process.change { child in
            guard let running = child else { return }
            Glibc.kill(running, SIGKILL)
            var status: CInt = 0
            while unsafe waitpid(running, &status, 0) < 0, errno == EINTR {}
            child = nil
        }
    }

    /// Says nothing until `resume`, as a chip does that is at work for another program.
    func pause() { if let child = process.value { Glibc.kill(child, SIGSTOP) } }

    func resume() { if let child = process.value { Glibc.kill(child, SIGCONT) } }

    /// Ends as a machine does that is shut down: without `TPM2_Shutdown` a counted object that was used costs one try.
    func shutDown() throws {
        _ = try command([0x80, 0x01, 0, 0, 0, 12, 0, 0, 0x01, 0x45, 0, 0])
        kill()
    }

    /// A boot.
    func restart() throws {
        try shutDown()
        try start()
    }

    /// What lies in its memory, as a host's administrator may copy it (A9).
    func copyState() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: state) where !name.hasPrefix(".") {
            files[name] = try Data(contentsOf: URL(fileURLWithPath: state + "/" + name))
        }
        return files
    }

    /// Puts a copy back, or a TPM that was never used.
    func replaceState(by files: [String: Data]) throws {
        kill()
        for name in try FileManager.default.contentsOfDirectory(atPath: state) {
            try FileManager.default.removeItem(atPath: state + "/" + name)
        }
        for (name, data) in files { try data.write(to: URL(fileURLWithPath: state + "/" + name)) }
        try start()
    }

    /// Sends one command and gives the response code.
    @discardableResult
    func command(_ bytes: [UInt8]) throws -> UInt32 { Self.number(try exchange(bytes)[6..<10]) }

    /// Sends one command and gives the handle that its answer begins with.
    func handle(from bytes: [UInt8]) throws -> UInt32 {
        let answer = try exchange(bytes)
        let code = Self.number(answer[6..<10])
        guard code == 0, answer.count >= 14 else { throw Failure(description: "no handle: \(code)") }
        return Self.number(answer[10..<14])
    }

    private func exchange(_ bytes: [UInt8]) throws -> [UInt8] {
        let file = try Self.connect(socket)
        defer { close(file) }
        guard unsafe send(file, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure(description: "not sent")
        }
        guard let answer = readFrame(file) else { throw Failure(description: "no answer") }
        return answer
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    /// The owner hierarchy gets a password: `TPM2_HierarchyChangeAuth`, unless told otherwise from an empty one.
    func setOwnerPassword(_ password: String, insteadOf former: String = "") throws {
        let (new, old) = (Array(password.utf8), Array(former.utf8))
        var body: [UInt8] = [0, 0, 0x01, 0x29, 0x40, 0, 0, 0x01]
        body += [0, 0, 0, 9 + UInt8(old.count), 0x40, 0, 0, 0x09, 0, 0, 0, 0, UInt8(old.count)] + old
        body += [0, UInt8(new.count)] + new
        let code = try command([0x80, 0x02, 0, 0, 0, UInt8(6 + body.count)] + body)
        guard code == 0 else { throw Failure(description: "no password: \(code)") }
    }

    static func connect(_ path: String) throws -> CInt {
        let file = socketFile()
        guard unsafe withAddress(path, { unsafe Glibc.connect(file, $0, $1) }) == 0 else {
            close(file)
            throw Failure(description: "no connection")
        }
        return file
    }

    private static func connects(_ path: String) -> Bool {
        guard let file = try? connect(path) else { return false }
        close(file)
        return true
    }
}

func socketFile() -> CInt { Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0) }

func withAddress<R>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8.prefix(107)) }
    return unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}

/// Reads a command or an answer: tag 2 · size 4 · code 4 · the rest; nil at the end.
func readFrame(_ file: CInt) -> [UInt8]? {
    guard var frame = readExactly(file, 10) else { return nil }
    let size = frame[2..<6].reduce(0) { $0 << 8 | Int($1) }
    guard 10...8_192 ~= size, let rest = readExactly(file, size - 10) else { return nil }
    frame += rest
    return frame
}

private func readExactly(_ file: CInt, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
        let got = unsafe bytes[done...].withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        guard got > 0 else { return nil }
        done += got
    }
    return bytes
}
