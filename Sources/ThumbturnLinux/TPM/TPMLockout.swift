import CTSS2
import ThumbturnRules

/// How a TPM stands to wrong authorisations of what counts them; the count is one for all programs of the machine.
public struct TPMLockout: Hashable, Sendable {
    /// Wrong authorisations so far; a power cut after a right one counts as well.
    public var failures: UInt32
    /// From here on the right authorisation is refused too.
    public var limit: UInt32
    /// After how many seconds without another failure one is forgotten; 0 for never.
    public var recoverySeconds: UInt32
    /// Whether the TPM is locked now.
    public var isLockedOut: Bool
}

extension TPM {
    func lockout() async throws(DeviceRefusal) -> TPMLockout {
        try await thread.run { () throws(DeviceRefusal) in
            try self.talk { context throws(TPMFailure) in
                let counts = try context.properties(from: tpm_pt_lockout_counter, count: 3)
                let state = try context.properties(from: tpm_pt_permanent, count: 1)
                guard let failures = counts[tpm_pt_lockout_counter], let limit = counts[tpm_pt_max_auth_fail],
                    let recovery = counts[tpm_pt_lockout_interval], let permanent = state[tpm_pt_permanent]
                else { throw .malformed }
                return TPMLockout(
                    failures: failures,
                    limit: limit,
                    recoverySeconds: recovery,
                    isLockedOut: permanent & UInt32(TPMA_PERMANENT_INLOCKOUT) != 0
                )
            }
        }
    }

    /// Whether the owner hierarchy has a password.
    func isOwned() async throws(DeviceRefusal) -> Bool {
        try await thread.run { () throws(DeviceRefusal) in
            try self.talk { context throws(TPMFailure) in try context.ownerHasPassword() }
        }
    }

    /// What the TPM's claim to be a chip is worth.
    ///
    /// Only makers of chips and of firmware in them are believed (TCG Vendor ID Registry); a program's state lies in a file,
    /// and is rolled back with it (A9). swtpm and libtpms say `IBM`, Microsoft's simulator and Hyper-V `MSFT`, and a cloud's
    /// virtual TPM its cloud, some under the name of a chip: what can't be told is a file. A program that lies about its
    /// maker is not found out, for that takes the maker's certificate of the endorsement key.
    func assurance() async throws(DeviceRefusal) -> Assurance {
        let maker = try await thread.run { () throws(DeviceRefusal) in
            try self.talk { context throws(TPMFailure) in
                try context.properties(from: tpm_pt_manufacturer, count: 1)[tpm_pt_manufacturer]
            }
        }
        return Self.assurance(ofMaker: maker)
    }

    static func assurance(ofMaker maker: UInt32?) -> Assurance {
        guard let maker else { return .softwareFile }
        let text = (0..<4).map { UInt8(truncatingIfNeeded: maker >> (24 - 8 * $0)) }
            .filter { 0x21...0x7E ~= $0 }
        return chipMakers.contains(String(decoding: text, as: UTF8.self)) ? .hardwareBound : .softwareFile
    }

    private static let chipMakers: Set<String> = [
        "AMD", "ATML", "BRCM", "CSCO", "HISI", "IFX", "INTC", "NSG", "NSM", "NTC", "NTZ", "QCOM", "ROCC", "SECE",
        "SMSC",
        "SMSN", "SNS", "STM", "TXN", "WEC",
    ]
}
