package import ThumbturnJSON
package import ThumbturnRules

extension ScreenFace {
    /// "Enable Biometric Unlock?", as `BiometricOffer` asks it in SwiftUI.
    ///
    /// - Parameters:
    ///   - question: what is asked.
    ///   - obstacle: why the sensor can't be enabled; then the owner can only skip.
    ///   - answer: the action of each answer.
    package mutating func ask(
        _ question: Words,
        _ obstacle: BiometricCapability.EnablingObstacle?,
        in language: Language,
        _ answer: (Bool) -> JSON
    ) {
        title = question
        texts.append(Words.consent.in(language))
        if let obstacle { texts.append(Words(obstacle).in(language)) }
        if obstacle == nil { offer(answer(true), .turnOn) }
        offer(answer(false), .notNow)
    }
}
