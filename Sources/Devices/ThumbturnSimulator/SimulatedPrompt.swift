import ThumbturnDevice
import ThumbturnRules

/// A prompt that is up, and waits for a touch.
struct SimulatedPrompt: Sendable {
    let text: PromptText
    let access: AccessControl
    /// How many touches were queued for later prompts: those behind them are this prompt's.
    var touchesBefore: Int
    /// The boot and the installation that it belongs to: it ends with either.
    let bootID: Identifier
    let installation: Identifier

    /// What a screen may show of it.
    var shown: SimulatedSnapshot.Prompt {
        SimulatedSnapshot.Prompt(text: text, mode: access == .anyBiometryOrPasscode ? .system : .local)
    }
}
