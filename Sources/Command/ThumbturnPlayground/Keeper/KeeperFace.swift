import Glibc
import ThumbturnConsole

/// The keeper as a process of its own: it makes the folder of all files, runs the account service, and outlives the server
/// to clear up after it.
///
/// It first answers the folder. Then each line on its standard input is a word about the service, or blank to ask for a new
/// one without accounts. It answers the service's address; a blank line says that there is none. It ends when its input
/// does: whatever ended the server, no service and no file stays.
enum KeeperFace {
    static let word = "keeper"

    /// - Parameter program: the path of `thumbturnd`, if it is installed.
    /// - Returns: the exit code.
    static func run(program: String?) -> Int32 {
        // It removes no folder but its own.
        guard let folder = try? Folders.makeScratch("thumbturn-playground") else { return 1 }
        defer { clear(folder) }
        guard answer(folder) else { return 1 }
        let (lines, home) = (LineReader(STDIN_FILENO), folder + "/service")
        var service: ServiceProcess?
        // Where it is, or was before it went away.
        var address = ""
        while let line = lines.next() {
            service.take()?.end()
            let reached: String
            switch ServiceWord(rawValue: String(decoding: line, as: UTF8.self)) {
            case .away: reached = address
            case .back:
                if !address.isEmpty { service = start(program, home, at: address) }
                reached = service?.origin ?? ""
            case nil:
                Folders.remove(home)
                service = start(program, home)
                address = service?.origin ?? ""
                reached = address
            }
            guard answer(reached) else { break }
        }
        service.take()?.end()
        return 0
    }

    private static func start(_ program: String?, _ home: String, at address: String? = nil) -> ServiceProcess? {
        guard let program else { return nil }
        return try? ServiceProcess(program, environment: environment(home), at: address)
    }

    private static func answer(_ text: String) -> Bool {
        STDOUT_FILENO.writeAll(Array(text.utf8) + [UInt8(ascii: "\n")])
    }

    private static func environment(_ home: String) -> [String] {
        ["HOME=" + home, "XDG_DATA_HOME=\(home)/data", "XDG_STATE_HOME=\(home)/state", "LC_ALL=C.UTF-8"]
    }

    /// Removes the folder; a phone that is ending may still write to it.
    private static func clear(_ folder: String) {
        for _ in 0..<100 {
            Folders.remove(folder)
            if Folders.isAbsent(folder) { return }
            usleep(50_000)
        }
    }
}
