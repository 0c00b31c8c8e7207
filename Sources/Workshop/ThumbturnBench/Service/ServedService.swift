import ThumbturnConsole

/// `thumbturnd serve` with its standard limits, on 127.0.0.1.
final class ServedService {
    let port: UInt16
    private let process: ServiceProcess

    init(_ program: String, in folder: String) throws {
        process = try ServiceProcess(program, environment: ["HOME=\(folder)", "PATH=/usr/bin:/bin"])
        guard let port = process.origin.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchError(what: "\(process.origin) names no port")
        }
        self.port = port
    }
}
