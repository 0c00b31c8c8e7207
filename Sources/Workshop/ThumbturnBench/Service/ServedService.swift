import Glibc
import ThumbturnAccount
import ThumbturnConsole
import ThumbturnFiles
import ThumbturnTransport

/// `thumbturnd serve` with its standard limits, on 127.0.0.1, and a reader of its log.
final class ServedService {
    let port: UInt16
    private let folder: String
    private let process: ServiceProcess

    /// - Parameter options: further options of `serve`.
    init(_ program: String, in folder: String, _ options: [String] = []) throws {
        let token = unsafe getenv("SOFTHSM2_CONF").map { unsafe ["SOFTHSM2_CONF=" + String(cString: $0)] } ?? []
        self.folder = folder
        process = try ServiceProcess(program, options, environment: ["HOME=\(folder)", "PATH=/usr/bin:/bin"] + token)
        guard let port = process.origin.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchError(what: "\(process.origin) names no port")
        }
        self.port = port
        // A service whose log is not read would write less than it has to.
        let log = dup(process.log.read)
        let thread = SystemThread {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while unsafe read(log, &buffer, buffer.count) > 0 {}
            close(log)
        }
        guard let thread else { throw BenchError(what: "no more threads") }
        thread.detach()
    }

    /// The way to it that the command takes.
    var transport: AccountTransport {
        get throws { try .system(origin: "http://127.0.0.1:\(port)") }
    }

    /// Its database.
    var file: String { folder + "/.local/state/thumbturnd/data/service.sqlite" }

    /// Its resident memory.
    var residentBytes: Double {
        get throws {
            let status = String(
                decoding: Folders.beginning(of: "/proc/\(process.process)/status", count: 4_096),
                as: UTF8.self
            )
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            guard let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
                throw BenchError(what: "the service is gone")
            }
            return kilobytes * 1_024
        }
    }
}
