#if canImport(ThumbturnLinux)
import Thumbturn
import ThumbturnConsole
import ThumbturnLinux

/// The prompt for fprintd, which has none: its text goes to standard error, and Enter on a terminal chooses the PIN
/// instead.
struct FingerPanel: Sendable {
    let output: Output
    let secrets: SecretInput

    /// Shows a prompt, and waits for the choice on the terminal.
    func ask(_ prompt: PromptText) async -> PromptDismissal? {
        let touch = Words(
            "touch the fingerprint reader to \(prompt.reason)",
            "touchez le lecteur d'empreintes pour \(prompt.reason)"
        )
        guard secrets.isTerminal else {
            output.note(touch)
            return nil
        }
        let choice = prompt.fallbackTitle.isEmpty ? prompt.cancelTitle : prompt.fallbackTitle
        output.note(touch + Words(" (Enter: \(choice))", " (Entrée : \(choice))"))
        guard await secrets.lineIsEntered(before: .pin) else { return nil }
        return prompt.fallbackTitle.isEmpty ? .cancel : .fallback
    }

    func show(_ progress: FingerProgress) {
        switch progress {
        case .ready, .finger: break
        case .scanAgain:
            output.note(Words("the scan was not good enough: try again", "mauvaise lecture : réessayez"))
        case .swipeTooShort: output.note(Words("too short: try again", "trop court : réessayez"))
        case .notCentred: output.note(Words("put the finger in the middle", "posez le doigt au milieu"))
        case .liftAndScanAgain: output.note(Words("lift the finger, then touch again", "levez le doigt, puis touchez"))
        }
    }
}
#endif
