extension UserError {
    /// Describes a refusal where there is no vault yet, or none that was read.
    ///
    /// - Parameters:
    ///   - code: what was refused.
    ///   - snapshot: the vault's; nil without a vault.
    ///   - language: the language of the message.
    package init(ofAccount code: ErrorCode, _ snapshot: VaultSnapshot?, in language: Language) {
        let known = snapshot ?? VaultSnapshot(policy: .pd107)
        self.init(code, known, in: language)
    }
}
