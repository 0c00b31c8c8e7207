package import ThumbturnJSON
package import ThumbturnRules

extension ScreenFace {
    /// The answers to "Enable Biometric Unlock?", as `BiometricOffer` has them in SwiftUI.
    ///
    /// - Parameters:
    ///   - obstacle: why the sensor can't be enabled; then the owner can only skip.
    ///   - answer: the action of each answer.
    package mutating func offerBiometrics(
        unless obstacle: BiometricCapability.EnablingObstacle? = nil,
        in language: Language,
        _ answer: (Bool) -> JSON
    ) {
        texts.append(Words.consent.in(language))
        if let obstacle { texts.append(Words(obstacle).in(language)) }
        if obstacle == nil { offer(answer(true), .turnOn) }
        offer(answer(false), .notNow)
    }
}
