import Glibc
import ThumbturnConsole

/// The keeper as a process of its own: it runs the account service, and outlives the server to clear up after it.
///
/// Each line on its standard input asks for a new service without accounts, whose address it answers; a blank line says
/// that none could be started. It ends when its input does: whatever ended the server, no service and no file stays.
enum KeeperFace {
    static let word = "keeper"

    /// - Parameters:
    ///   - folder: the folder of all of the playground's files.
    ///   - program: the path of `thumbturnd`, if it is installed.
    /// - Returns: the exit code.
    static func run(_ folder: String, program: String?) -> Int32 {
        let lines = LineReader(STDIN_FILENO)
        var isAsked = lines.next() != nil
        while isAsked {
            Folders.remove(folder + "/service")
            guard let program, let service = try? ServiceProcess(program, environment: environment(folder + "/service"))
            else {
                guard answer("") else { break }
                isAsked = lines.next() != nil
                continue
            }
            guard answer(service.origin) else { break }
            // An optimised build ends a value behind its last use, and this one's end is the service's.
            isAsked = withExtendedLifetime(service) { lines.next() != nil }
        }
        clear(folder)
        return 0
    }

    private static func answer(_ origin: String) -> Bool {
        STDOUT_FILENO.writeAll(Array(origin.utf8) + [UInt8(ascii: "\n")])
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
