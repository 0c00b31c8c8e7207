import ThumbturnJSON
import ThumbturnRules

#if canImport(Glibc)
package import Glibc
#else
package import Darwin
#endif

/// A private account service: `thumbturnd serve` on this machine alone, ended by `end()` or with this value.
package struct ServiceProcess: ~Copyable {
    /// The address it listens at, as `--service` accepts it.
    package let origin: String
    private let child: RunningChild

    /// The process id.
    package var process: pid_t { child.process }
    /// Its log, from where it listens on.
    package var log: Pipe { child.error }

    /// Starts the service, and waits until it listens.
    ///
    /// - Parameters:
    ///   - options: further options of `serve`.
    ///   - address: the `origin` of one that has ended, to follow it; nil takes a free port.
    /// - Throws: `.serviceUnreachable` if it ends before that.
    package init(
        _ program: String,
        _ options: [String] = [],
        environment: [String],
        at address: String? = nil
    ) throws(Failure) {
        let place = address.flatMap { $0.split(separator: "/").last }.map(String.init) ?? "127.0.0.1:0"
        let child = try RunningChild(
            program,
            ["serve", "--listen", place] + options,
            environment: environment,
            hasSecrets: false
        )
        var log: [UInt8] = []
        while Self.origin(in: log) == nil, child.error.readOn(into: &log) {}
        guard let origin = Self.origin(in: log) else {
            _ = child.finish()
            throw Failure(.serviceUnreachable)
        }
        self.origin = origin
        self.child = child
    }

    deinit {
        // It writes its remaining log before it ends, and no reader is left.
        child.error.closeRead()
        // The process id can't be reused until it is waited for.
        kill(child.process, SIGTERM)
        var status: Int32 = 0
        while unsafe waitpid(child.process, &status, 0) < 0, errno == EINTR {}
    }

    /// Ends the service.
    ///
    /// It runs until here: without this call an optimised build ends the value behind its last use.
    package consuming func end() {}

    /// Returns the path of `thumbturnd`, next to another program or in `PATH`; `nil` if there is none.
    package static func program(beside executable: String) -> String? {
        let own = executable[..<(executable.lastIndex(of: "/") ?? executable.startIndex)]
        let others = unsafe getenv("PATH").map { unsafe String(cString: $0) }?.split(separator: ":") ?? []
        return ([own] + others.filter { $0.hasPrefix("/") })
            .map { $0 + "/thumbturnd" }
            .first { unsafe access($0, X_OK) == 0 }
    }

    /// Returns the address from its log, which has one JSON object per line, once it listens.
    private static func origin(in log: [UInt8]) -> String? {
        for line in log.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            guard let event = try? JSON(reading: Array(line), byteLimit: 1 << 16),
                case .string("listening")? = event["event"], case .string(let address)? = event["address"]
            else { continue }
            return address
        }
        return nil
    }
}
