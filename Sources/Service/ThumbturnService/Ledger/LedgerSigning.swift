import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnJSON

/// Finds a key that signs; called once more after the signer was lost.
package typealias OpensSigner = @Sendable () throws(SignerError) -> any LedgerSigner

extension SignerLocation {
    /// Opens it, as often as that is needed.
    package var opening: OpensSigner { { () throws(SignerError) in try open() } }
}

/// A head with its signatures.
struct SignedHead: Sendable {
    let note: AuditNote
    /// The keys that signed it, SubjectPublicKeyInfo in DER.
    let keys: [[UInt8]]
}

/// Signs the heads of one log, on a thread of its own: a token may take long, or hang.
///
/// It signs the newest head that it was given, until that worked.
final class LedgerSigning: Sendable {
    /// What it tells the sequencer, on its own thread.
    enum Word: Sendable {
        /// The signers were found; these are their keys, SubjectPublicKeyInfo in DER, the newest first.
        case keys([[UInt8]])
        case signed(SignedHead)
    }

    private struct Task: Equatable {
        let head: AuditCheckpoint
        let later: [[UInt8]]
    }

    private struct Desk {
        var task: Task?
        var isStopping = false
    }

    private let signers: [OpensSigner]
    private let witness: WitnessLocation?
    private let log: ServiceLog
    private let tell: @Sendable (Word) -> Void
    private let desk = Monitor(Desk())

    /// - Parameter signers: where the keys are, the newest first; every one of them signs.
    init(
        _ signers: [OpensSigner],
        witness: WitnessLocation?,
        log: ServiceLog,
        tell: @escaping @Sendable (Word) -> Void
    ) {
        (self.signers, self.witness, self.log, self.tell) = (signers, witness, log, tell)
    }

    /// Starts the thread.
    ///
    /// It is not waited for: a token that hangs would keep the service from stopping.
    func start() -> Bool {
        guard let thread = SystemThread({ self.run() }) else { return false }
        thread.detach()
        return true
    }

    /// Gives it a head to sign, in place of one that it could not sign yet.
    ///
    /// - Parameter later: those of its keys that a former one has to name, since no note has both yet.
    func sign(_ head: AuditCheckpoint, naming later: [[UInt8]]) {
        desk.change { $0.task = Task(head: head, later: later) }
    }

    func stop() { desk.change(wakingAll: true) { $0.isStopping = true } }
}

extension LedgerSigning {
    private func run() {
        var keys: [[UInt8]]?
        var open: [any LedgerSigner] = []
        var pause: Int64 = 0
        while !isStopping(after: pause) {
            do throws(SignerError) {
                if open.isEmpty {
                    open = try signers.map { find throws(SignerError) in try find() }
                    let found = open.map(\.publicKey)
                    // Another key than before would be one that the log does not know.
                    guard keys == nil || keys == found else { throw .keyMissing }
                    if keys == nil { tell(.keys(found)) }
                    keys = found
                }
                guard let task = next() else { return }
                let signed = try sign(task, by: open)
                pause = 0
                desk.change { if $0.task == task { $0.task = nil } }
                tell(.signed(signed))
            } catch {
                open = []
                if pause == 0 { log.record(.warning, "signer failed", at: .now(), [("error", .string("\(error)"))]) }
                pause = min(max(100, 2 * pause), 2_000)
            }
        }
    }

    private func isStopping(after pause: Int64) -> Bool {
        desk.wait(until: MonotonicClock.milliseconds + pause) { $0.isStopping ? true : nil } ?? false
    }

    private func next() -> Task? {
        desk.wait { desk -> Task?? in
            if desk.isStopping { return .some(nil) }
            return desk.task.map { .some($0) }
        } ?? nil
    }

    /// Signs a head by every key, and verifies each signature before anything keeps it.
    private func sign(_ task: Task, by signers: [any LedgerSigner]) throws(SignerError) -> SignedHead {
        let (text, origin) = (task.head.text, task.head.origin)
        do {
            var lines: [AuditNote.Signature] = []
            for signer in signers {
                let key = try AuditKey(publicKey: signer.publicKey, from: 0)
                lines.append(
                    try AuditNote.Signature(name: origin, keyId: key.keyId, bytes: try Self.verified(text, by: signer))
                )
            }
            for later in task.later {
                guard let former = signers.first(where: { !task.later.contains($0.publicKey) }) else { continue }
                let message = AuditSuccession.message(origin: origin, later: later)
                let signature = try Self.verified(message, by: former)
                let key = try AuditKey(publicKey: former.publicKey, from: 0)
                lines.append(try AuditSuccession.line(origin: origin, former: key, signature: signature))
            }
            if let witness = try witness?.open() {
                let keyId = AuditKey.witnessKeyId(name: origin, publicKey: witness.publicKey)
                lines.append(try AuditNote.Signature(name: origin, keyId: keyId, bytes: witness.sign(text)))
            }
            return SignedHead(note: try AuditNote(task.head, signatures: lines), keys: signers.map(\.publicKey))
        } catch {
            throw error as? SignerError ?? .gone
        }
    }

    private static func verified(_ message: [UInt8], by signer: any LedgerSigner) throws -> [UInt8] {
        let signature = try signer.sign(message)
        try P256.verify(signature: signature, of: message, publicKey: signer.publicKey)
        return signature
    }
}
