import ThumbturnConsole
import ThumbturnCrypto

/// The source of a secret that may span several lines.
enum SecretSource: Hashable, Sendable {
    /// One line, read as for every other secret.
    case line
    /// `--file FILE`: every byte of the file.
    case file(String)
    /// `--file -`: every byte after the lines of `--secret-fd`, or else of standard input.
    case rest

    /// - Parameter path: the value of `--file`.
    init(_ path: String) throws(Failure) {
        switch path {
        case "-": self = .rest
        case "": throw .usage(Words("--file is empty", "--file est vide"))
        default: self = .file(path)
        }
    }

    /// Reads the secret from its file; returns `nil` if it is not in one.
    func readFile(_ question: Question) throws(Failure) -> HeldSecret? {
        guard case .file(let path) = self else { return nil }
        return HeldSecret(try SecretInput.readFile(path, question))
    }
}
