#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

struct FuzzError: Error {
    let what: String
}

/// What the command line asks for.
struct Options {
    var seed = UInt64(Int64(time(nil)))
    /// Mutants of each target, at most.
    var count = 1_000_000
    /// Seconds for each target, at most; whole files get three times as long.
    var seconds = 20
    var names: [String] = []
    var child: String?

    init(_ arguments: some Sequence<String>) throws {
        var words = arguments.makeIterator()
        while let word = words.next() {
            switch word {
            case "--seed": seed = try Self.number(words.next())
            case "--count": count = Int(clamping: try Self.number(words.next()))
            case "--seconds": seconds = Int(clamping: try Self.number(words.next()))
            case "--child": child = words.next()
            default: names.append(word)
            }
        }
    }

    private static func number(_ word: String?) throws -> UInt64 {
        guard let number = word.flatMap({ UInt64($0) }) else { throw FuzzError(what: "a number is missing") }
        return number
    }
}

/// Throws damaged bytes at every parser.
///
/// A parser may refuse or accept; it may not trap, give wallets that were never sealed, or believe a length.
///
/// usage: Fuzz [--seed N] [--count N] [--seconds N] [TARGET...]
@main struct Fuzz {
    static func main() async throws {
        let options = try Options(CommandLine.arguments.dropFirst())
        if let name = options.child, let target = Target.all.first(where: { $0.name == name }),
            let folder = options.names.first
        {
            return try await Child(target: target, options: options).run(in: folder)
        }
        exit(try Parent(options: options).run())
    }
}
