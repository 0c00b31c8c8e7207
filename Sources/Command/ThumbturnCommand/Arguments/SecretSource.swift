import ThumbturnConsole
import ThumbturnCrypto

/// Where a secret that may have several lines comes from.
enum SecretSource: Hashable, Sendable {
    /// One line, as of every secret.
    case line
    /// `--file FILE`: every byte of a file.
    case file(String)
    /// `--file -`: every byte behind the lines of `--secret-fd`, else of standard input.
    case rest

    /// - Parameter path: what stands behind `--file`.
    init(_ path: String) throws(Failure) {
        switch path {
        case "-": self = .rest
        case "": throw .usage(Words("--file is empty", "--file est vide"))
        default: self = .file(path)
        }
    }

    /// The secret in its file; nil where it is not in one.
    func readFile(_ question: Question) throws(Failure) -> HeldSecret? {
        guard case .file(let path) = self else { return nil }
        return HeldSecret(try SecretInput.readFile(path, question))
    }
}
