import ThumbturnConsole

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The process that survives: it starts one child for each target, counts, and shows what killed it.
struct Parent {
    let options: Options

    /// Runs every target.
    ///
    /// - Returns: 0 when no child died, else 1.
    func run() throws -> Int32 {
        print("seed \(options.seed), at most \(options.count) mutants and \(options.seconds) s a target")
        print("target            mutants   refused  seconds  peak KiB")
        var vaultFiles = 0
        var deaths = 0
        for target in Target.all where options.names.isEmpty || options.names.contains(target.name) {
            let folder = try makeFolder()
            defer { _ = try? spawn(["/bin/rm", "-rf", folder]) }
            let status = try spawn([
                "/proc/self/exe", "--child", target.name, "--seed", "\(options.seed)", "--count", "\(options.count)",
                "--seconds", "\(target.pageByteCount == nil ? options.seconds : 3 * options.seconds)", folder,
            ])
            guard status == 0 else {
                deaths += 1
                showDeath(of: target, status, folder)
                continue
            }
            let result = try String(decoding: File.read(folder + "/result"), as: UTF8.self).split(separator: " ")
            print(row(target.name, result))
            if target.isVaultFile { vaultFiles += result.first.flatMap { Int($0) } ?? 0 }
            fflush(nil)
        }
        print("vault files and their rows: \(vaultFiles) mutants; children that died: \(deaths)")
        return deaths == 0 ? 0 : 1
    }

    private func row(_ name: String, _ numbers: [Substring]) -> String {
        let widths = [10, 10, 9, 10]
        let cells = zip(numbers, widths).map { String(repeating: " ", count: max(1, $1 - $0.count)) + $0 }
        return name + String(repeating: " ", count: max(1, 15 - name.count)) + cells.joined()
    }

    private func showDeath(of target: Target, _ status: Int32, _ folder: String) {
        print("\(target.name): died with status \(status)")
        guard let last = try? FlightRecorder(folder + "/recorder").last else { return }
        print("    seed \(options.seed), mutant \(last.iteration), \(last.bytes.count) bytes:")
        print("    " + last.bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined())
        fflush(nil)
    }

    /// A folder in memory, where a durable write costs nothing.
    private func makeFolder() throws -> String {
        let parent = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        return try Folders.makeTemporary("thumbturn-fuzz", in: parent)
    }

    /// Runs a process to its end and gives its wait status.
    private func spawn(_ arguments: [String]) throws -> Int32 {
        let words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        // One arena: otherwise each thread reserves 64 MiB of the address space that a child is allowed.
        let environment: [String] = ["MALLOC_ARENA_MAX=1", "SWIFT_BACKTRACE=enable=no"]
        let variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var child: pid_t = 0
        guard unsafe posix_spawn(&child, arguments[0], nil, nil, words, variables) == 0 else {
            throw FuzzError(what: "\(arguments[0]) can't be started")
        }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
