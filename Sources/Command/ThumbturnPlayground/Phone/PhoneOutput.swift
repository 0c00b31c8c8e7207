import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnJSON

/// Where the phone's lines go, and the secrets of some answers.
///
/// A line and its secret are written together: the server reads the secret right after the line.
final class PhoneOutput: Sendable {
    private struct Ends {
        let lines: Int32
        let secrets: SecretPipe
    }

    private let ends: Monitor<Ends>

    init(lines: Int32, secrets: SecretPipe) { ends = Monitor(Ends(lines: lines, secrets: secrets)) }

    /// Sends a state.
    func send(_ state: JSON) {
        let bytes = PhoneAnswer.state(state).bytes
        ends.change { _ = $0.lines.writeAll(bytes) }
    }

    /// Sends an answer, and a secret beside it.
    func send(_ answer: JSON, to id: Int64, secret: HeldSecret? = nil) {
        var answer = answer
        if secret != nil, case .object(let members) = answer {
            answer = .object(members + [("secret", .string("given"))])
        }
        let bytes = PhoneAnswer.answer(answer, to: id, givesSecret: secret != nil).bytes
        ends.change { ends in
            guard ends.lines.writeAll(bytes), let secret else { return }
            _ = secret.bytes.withBytes { ends.secrets.send($0) }
        }
    }
}
