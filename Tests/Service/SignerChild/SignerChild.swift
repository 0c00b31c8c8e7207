import Glibc
import Synchronization
import ThumbturnCrypto
import ThumbturnService

/// A process of its own that signs: a token's module reads its settings from the environment, and stays in the process
/// for good.
///
/// `SignerChild CONFIGURATION` sets SOFTHSM2_CONF, then does what each line of its input says, and answers with one
/// line:
/// - `open LOCATION`: the public key in hexadecimal; it is signer 0, the next is 1
/// - `sign NUMBER`: `ok` once a signature was verified
/// - `make PATH`: `made`, or `there`
/// - `start THREADS LOCATION`: each thread opens a signer and signs until the input ends
/// - `counts`: how often these threads signed, met a token that was gone, and failed otherwise
/// A call that failed answers `error ERROR`.
@main struct SignerChild {
    static func main() {
        // As the service does: a module may write to a connection that ended.
        _ = signal(SIGPIPE, SIG_IGN)
        let words = CommandLine.arguments.dropFirst()
        if let configuration = words.first { _ = unsafe setenv("SOFTHSM2_CONF", configuration, 1) }
        var (signers, threads) = ([any LedgerSigner](), [pthread_t]())
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            do {
                say(try answer(words, &signers, &threads))
            } catch {
                say("error \(error)")
            }
        }
        // A module is taken down with the process: nothing may use it then.
        counts.withLock { $0.isOver = true }
        for thread in threads { pthread_join(thread, nil) }
        exit(0)
    }

    private static func answer(
        _ words: [String],
        _ signers: inout [any LedgerSigner],
        _ threads: inout [pthread_t]
    ) throws -> String {
        switch (words.first, words.count) {
        case ("open", 2):
            let signer = try SignerLocation(parsing: words[1]).open()
            signers.append(signer)
            return String(decoding: TextCode.hexadecimal.encode(signer.publicKey), as: UTF8.self)
        case ("sign", 2):
            try sign(signers[Int(words[1]) ?? 0], 0)
            return "ok"
        case ("make", 2): return try SignerLocation.established(at: words[1]).isNew ? "made" : "there"
        case ("start", 3):
            let location = try SignerLocation(parsing: words[2])
            for _ in 0..<(Int(words[1]) ?? 1) { threads.append(try start(location)) }
            return "started"
        case ("counts", 1): return counts.withLock { "\($0.signed) \($0.gone) \($0.failed)" }
        default: exit(2)
        }
    }

    private struct Counts {
        var (signed, gone, failed) = (0, 0, 0)
        var isOver = false
    }

    private static let counts = Mutex(Counts())

    private static func start(_ location: SignerLocation) throws -> pthread_t {
        var thread = pthread_t()
        let work = unsafe Unmanaged.passRetained(Work(location: location)).toOpaque()
        let result = unsafe pthread_create(
            &thread,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                SignerChild.work(unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().location)
                return nil
            },
            work
        )
        guard result == 0 else { throw SignerError.gone }
        return thread
    }

    private static func work(_ location: SignerLocation) {
        var (signer, number) = ((any LedgerSigner)?.none, 0)
        while !counts.withLock({ $0.isOver }) {
            do {
                let present = try signer ?? location.open()
                signer = present
                try sign(present, number)
                counts.withLock { $0.signed += 1 }
            } catch let error as SignerError where error.isPassing {
                counts.withLock { $0.gone += 1 }
                usleep(1_000)
            } catch {
                counts.withLock { $0.failed += 1 }
                usleep(1_000)
            }
            number += 1
        }
    }

    private static func sign(_ signer: any LedgerSigner, _ number: Int) throws {
        let message = Array("message \(number)".utf8)
        try P256.verify(signature: signer.sign(message), of: message, publicKey: signer.publicKey)
    }

    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe write(1, bytes, bytes.count)
    }
}

private final class Work: Sendable {
    let location: SignerLocation

    init(location: SignerLocation) { self.location = location }
}
