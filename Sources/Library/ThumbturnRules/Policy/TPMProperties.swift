/// What a TPM 2.0 says of itself, as far as it decides what a guess at a PIN costs.
///
/// The rule is pure: properties in, doubts out. Who answers for the TPM on its bus can lie about them.
package struct TPMProperties: Hashable, Sendable {
    /// Four letters of TCG's Vendor ID Registry.
    package var maker: UInt32
    /// Whether resetting the count of wrong authorisations takes a password.
    package var hasLockoutPassword: Bool
    /// From how many wrong authorisations on the right one is refused too (`maxTries`).
    package var failureLimit: UInt32
    /// After how many seconds without another one a wrong authorisation is forgotten (`recoveryTime`).
    ///
    /// 0 is no "never": with it the TPM counts nothing at all (TPM 2.0 Part 1, 19.8).
    package var recoverySeconds: UInt32
    /// How many seconds the lockout password is refused after a wrong one (`lockoutRecovery`); 0 for until the next boot.
    package var lockoutRecoverySeconds: UInt32

    /// Describes a TPM.
    package init(
        maker: UInt32,
        hasLockoutPassword: Bool,
        failureLimit: UInt32,
        recoverySeconds: UInt32,
        lockoutRecoverySeconds: UInt32
    ) {
        self.maker = maker
        self.hasLockoutPassword = hasLockoutPassword
        self.failureLimit = failureLimit
        self.recoverySeconds = recoverySeconds
        self.lockoutRecoverySeconds = lockoutRecoverySeconds
    }

    /// Why it is not believed that a TPM counts guesses for itself.
    package enum Doubt: String, Hashable, Sendable, CaseIterable {
        /// It may be a program, whose state is put back with its count (A9).
        case mayBeProgram
        /// Without a lockout password whoever has the machine resets the count between guesses.
        case noLockoutPassword
        /// It takes no try, or more than 64.
        case failureLimit
        /// It counts nothing, or forgets a failure in less than 10 minutes.
        case recoveryTime
        /// Its lockout password may be tried more than once an hour.
        case lockoutRecovery
    }

    /// What stands against it; empty where the TPM counts for itself.
    package var doubts: [Doubt] { Doubt.allCases.filter(applies) }

    private func applies(_ doubt: Doubt) -> Bool {
        switch doubt {
        case .mayBeProgram: !isChip
        case .noLockoutPassword: !hasLockoutPassword
        case .failureLimit: !(1...64).contains(failureLimit)
        case .recoveryTime: recoverySeconds < 600
        case .lockoutRecovery: lockoutRecoverySeconds != 0 && lockoutRecoverySeconds < 3_600
        }
    }

    /// What it is worth to a PIN, which can be guessed: as hardware only where that counts the guesses for itself.
    package var assuranceOfPIN: Assurance { doubts.isEmpty ? .hardwareBound : .softwareFile }

    /// What it is worth to a key of 256 bits, where there is nothing to count.
    package var assuranceOfKey: Assurance { isChip ? .hardwareBound : .softwareFile }

    /// Whether its maker makes chips, or firmware in them (TCG Vendor ID Registry).
    ///
    /// Others are programs: swtpm and libtpms say `IBM`, Microsoft's simulator and Hyper-V `MSFT`, and a cloud's virtual TPM its
    /// cloud, some under the name of a chip. What can't be told is a program. One that lies about its maker is not found
    /// out, for that takes the maker's certificate of the endorsement key.
    package var isChip: Bool {
        Self.chipMakers.contains { maker in
            guard maker.utf8CodeUnitCount <= 4 else { return false }
            let letters = unsafe UnsafeBufferPointer(start: maker.utf8Start, count: maker.utf8CodeUnitCount)
            return (0..<4).allSatisfy { index in
                let byte = UInt8(truncatingIfNeeded: self.maker >> (24 - 8 * UInt32(index)))
                guard index < letters.count else { return byte == 0 || byte == UInt8(ascii: " ") }
                return unsafe byte == letters[index]
            }
        }
    }

    private static let chipMakers: [StaticString] = [
        "AMD", "ATML", "BRCM", "CSCO", "HISI", "IFX", "INTC", "NSG", "NSM", "NTC", "NTZ", "QCOM", "ROCC", "SECE",
        "SMSC", "SMSN", "SNS", "STM", "TXN", "WEC",
    ]
}
