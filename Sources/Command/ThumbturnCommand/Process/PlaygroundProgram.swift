import Thumbturn
import ThumbturnConsole

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The program beside this one that serves the playground's page: this one stays as small as it is.
enum PlaygroundProgram {
    private static let name = "thumbturn-playground"

    /// Becomes that program.
    ///
    /// - Returns: why that was not possible.
    static func become(port: UInt16, isJSON: Bool) -> Failure {
        let words = [path, "--port", String(port)] + (isJSON ? ["--json"] : [])
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        // A thread of a pool blocks signals, which the program would inherit.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
        _ = unsafe execv(path, &arguments)
        let number = errno
        unsafe arguments.forEach { unsafe free($0) }
        guard number == ENOENT else { return Failure(errno: number, Words(name)) }
        return Failure(
            .storageUnavailable,
            statement: Words(
                "The playground is not installed: there is no \(name) beside this program.",
                "Le terrain de jeu n'est pas installé : il n'y a pas de \(name) à côté de ce programme."
            ),
            hint: Words(
                "`make release` builds it on Linux, and `make install` puts it there",
                "`make release` le construit sous Linux, et `make install` l'installe"
            )
        )
    }

    private static var path: String {
        #if canImport(Glibc)
        let found = unsafe realpath("/proc/self/exe", nil)
        #else
        let found = unsafe realpath(CommandLine.arguments[0], nil)
        #endif
        defer { unsafe free(found) }
        let own = unsafe found.map { unsafe String(cString: $0) } ?? ""
        return own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/" + name
    }
}
