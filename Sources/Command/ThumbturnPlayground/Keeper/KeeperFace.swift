import Glibc
import ThumbturnConsole

/// The keeper as a process of its own: it makes the folder of all files, runs the account service, and outlives the server
/// to clear up after it.
///
/// It first answers the folder. Then each line on its standard input asks for a new service without accounts, whose address
/// it answers; a blank line says that none could be started. It ends when its input does: whatever ended the server, no
/// service and no file stays.
enum KeeperFace {
    static let word = "keeper"

    /// - Parameter program: the path of `thumbturnd`, if it is installed.
    /// - Returns: the exit code.
    static func run(program: String?) -> Int32 {
        // It removes no folder but its own.
        guard let folder = try? Folders.makeScratch("thumbturn-playground") else { return 1 }
        defer { clear(folder) }
        guard answer(folder) else { return 1 }
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
            isAsked = lines.next() != nil
            service.end()
        }
        return 0
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
