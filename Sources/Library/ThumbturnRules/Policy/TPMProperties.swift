/// The properties of a TPM 2.0 that determine what a guess at a PIN costs.
///
/// The rule is pure: properties in, doubts out. An attacker on the TPM's bus can forge the properties.
package struct TPMProperties: Hashable, Sendable {
    /// Four letters from TCG's Vendor ID Registry.
    package var maker: UInt32
    /// Whether resetting the count of wrong authorisations requires a password.
    package var hasLockoutPassword: Bool
    /// The number of wrong authorisations after which the right one is refused too (`maxTries`).
    package var failureLimit: UInt32
    /// The seconds without a wrong authorisation after which one is forgotten (`recoveryTime`).
    ///
    /// 0 does not mean "never": with it the TPM counts nothing at all (TPM 2.0 Part 1, 19.8).
    package var recoverySeconds: UInt32
    /// For how many seconds the lockout password is refused after a wrong one (`lockoutRecovery`); 0 means until the
    /// next boot.
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

    /// Why a TPM is not trusted to count guesses itself.
    package enum Doubt: String, Hashable, Sendable, CaseIterable {
        /// It may be a program, whose state, including the count, can be restored from a copy (A9).
        case mayBeProgram
        /// Without a lockout password, an attacker with the machine can reset the count between guesses.
        case noLockoutPassword
        /// It allows no failure, or more than 64.
        case failureLimit
        /// It counts nothing, or forgets a failure in less than 10 minutes.
        case recoveryTime
        /// Its lockout password may be tried more than once an hour.
        case lockoutRecovery
    }

    /// The doubts that apply; empty when the TPM is trusted to count guesses itself.
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

    /// The assurance for a PIN, which can be guessed: hardware only if it counts the guesses itself.
    package var assuranceOfPIN: Assurance { doubts.isEmpty ? .hardwareBound : .softwareFile }

    /// The assurance for a key of 256 bits, which can't be guessed.
    package var assuranceOfKey: Assurance { isChip ? .hardwareBound : .softwareFile }

    /// Whether its maker makes chips, or firmware in them (TCG Vendor ID Registry).
    ///
    /// Others are programs: swtpm and libtpms report `IBM`, Microsoft's simulator and Hyper-V `MSFT`, and a cloud's
    /// virtual TPM its cloud, some under the name of a chip. Anything unknown counts as a program. A TPM that lies
    /// about its maker is not detected: that would take the maker's certificate of the endorsement key.
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
