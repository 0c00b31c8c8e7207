public import ThumbturnRules

extension HostAnswer {
    /// Refuses a call of the app's own, which no screen's model answers.
    ///
    /// - Parameters:
    ///   - error: a `VaultError` or a `HostError`; anything else is a device that could not be made.
    ///   - language: the language of the message.
    public init(refusing error: any Error, in language: Language) {
        if let error = error as? VaultError {
            self.init(HostReply(UserError(error.code, recoveryKeyOpens: error.recoveryKeyOpens, in: language)))
        } else {
            self.init(error as? HostError ?? .setupWrong, in: language)
        }
    }
}
