import CTSS2
import ThumbturnRules

/// The error codes of a TPM, or of the software in front of it, and their meaning; the one table for that.
///
/// A code that the table does not list requires the strong factor.
enum TPMCode: CaseIterable, Hashable, Sendable {
    /// A wrong authorisation of an object that counts them.
    case wrongAuthorisation
    /// A wrong authorisation that is not counted: the owner hierarchy has a password.
    case notAuthorised
    /// The owner hierarchy is off.
    case hierarchyOff
    /// Too many wrong authorisations, ours or another program's: the right one is refused as well.
    case lockout
    /// A comparison in a policy failed: the epoch was raised, the lease is over, or the device was rebooted.
    case policyOver
    /// The policy that was run is not the object's: the record is garbled, or it is another counter.
    case policyDiffers
    /// An object was used without the policy it requires: our own bug, or a garbled record.
    case policyMissing
    /// A blob is damaged, or belongs to another TPM.
    case integrity
    /// No room for an object or a session; only without a resource manager.
    case objectMemory, sessionMemory, sessionHandles
    /// An object or a session is gone: the TPM was restarted meanwhile.
    case objectGone, sessionGone
    /// There is no object with that handle.
    case noSuchHandle
    case counterDefined, counterUnwritten, counterSpace
    /// The TPM limits writes to its memory, or is busy.
    case rateLimited, memoryUnavailable, busy, testing, yielded, cancelled
    case notStarted, failureMode
    /// The TPM can't be reached.
    case noConnection, connectionLost, unknownTransport

    /// The code without the digits that identify the handle, session or parameter.
    var base: UInt32 {
        switch self {
        case .wrongAuthorisation: tpm_rc_auth_fail
        case .notAuthorised: tpm_rc_bad_auth
        case .hierarchyOff: tpm_rc_hierarchy
        case .lockout: tpm_rc_lockout
        case .policyOver: tpm_rc_policy
        case .policyDiffers: tpm_rc_policy_fail
        case .policyMissing: tpm_rc_auth_unavailable
        case .integrity: tpm_rc_integrity
        case .objectMemory: tpm_rc_object_memory
        case .sessionMemory: tpm_rc_session_memory
        case .sessionHandles: tpm_rc_session_handles
        case .objectGone: tpm_rc_reference_h0
        case .sessionGone: tpm_rc_reference_s0
        case .noSuchHandle: tpm_rc_handle
        case .counterDefined: tpm_rc_nv_defined
        case .counterUnwritten: tpm_rc_nv_uninitialized
        case .counterSpace: tpm_rc_nv_space
        case .rateLimited: tpm_rc_nv_rate
        case .memoryUnavailable: tpm_rc_nv_unavailable
        case .busy: tpm_rc_retry
        case .testing: tpm_rc_testing
        case .yielded: tpm_rc_yielded
        case .cancelled: tpm_rc_canceled
        case .notStarted: tpm_rc_initialize
        case .failureMode: tpm_rc_failure
        case .noConnection: tcti_rc_no_connection
        case .connectionLost: tcti_rc_io_error
        case .unknownTransport: tcti_rc_not_supported
        }
    }

    /// What it means for the vault.
    ///
    /// A blob that fails its integrity check reads as revoked only if that costs no more than enrolling again. For a
    /// device secret `TPMStore` throws `damaged` instead: its loss must not be concluded from a damaged file (A25).
    var refusal: DeviceRefusal {
        switch self {
        case .wrongAuthorisation: .wrongAuthorisation
        case .lockout: .lockedOut
        case .policyOver, .policyDiffers, .integrity: .revoked
        case .notAuthorised, .hierarchyOff, .objectMemory, .sessionMemory, .sessionHandles, .objectGone, .sessionGone:
            .unavailable
        case .counterSpace, .rateLimited, .memoryUnavailable, .busy, .testing, .yielded, .cancelled: .unavailable
        case .notStarted, .failureMode, .noConnection, .connectionLost, .unknownTransport: .unavailable
        case .policyMissing, .noSuchHandle, .counterDefined, .counterUnwritten: .unclassified
        }
    }

    /// Whether the same commands may pass in a new conversation, with more room or new handles.
    var mayPassAnew: Bool {
        switch self {
        case .objectMemory, .sessionMemory, .sessionHandles, .objectGone, .sessionGone, .busy, .testing, .yielded: true
        default: false
        }
    }

    /// Looks up a response code; nil if the table does not list it.
    init?(_ code: UInt32) {
        let base = Self.base(of: code)
        guard let row = Self.allCases.first(where: { $0.base == base }) else { return nil }
        self = row
    }

    /// Strips what TPM 2.0 part 2, section 6.6.2, adds to the error: the number of its parameter, session or handle.
    ///
    /// The layers above the TPM have codes of their own; only the resource manager passes on the TPM's.
    private static func base(of code: UInt32) -> UInt32 {
        let layer = code >> 16
        let resourceManager: Set<UInt32> = [0x0B, 0x0C]
        guard layer == 0 || resourceManager.contains(layer) else { return code }
        let own = code & 0xFFFF
        if own & 0x80 != 0 { return own & 0xBF }
        // `REFERENCE_H0…H6` and `S0…S6` count the handle.
        if tpm_rc_reference_h0...tpm_rc_reference_h0 + 6 ~= own { return tpm_rc_reference_h0 }
        if tpm_rc_reference_s0...tpm_rc_reference_s0 + 6 ~= own { return tpm_rc_reference_s0 }
        return own
    }
}

/// Why a conversation with a TPM failed.
enum TPMFailure: Error, Hashable, Sendable {
    /// A response code, from the TPM or the software in front of it.
    case code(UInt32)
    /// No primary key has the pinned Name: this is another TPM, one that was cleared, or an attacker on the bus.
    case anotherTPM
    /// An answer or a blob does not have the required form.
    case malformed
    /// Other processes took the room, or moved the anchor at the same time.
    case gaveUp
    /// The folder failed during a conversation.
    case folderFailed

    init(_ code: TPMCode) { self = .code(code.base) }

    /// The table's row, for a response code that has one.
    var known: TPMCode? {
        guard case .code(let code) = self else { return nil }
        return TPMCode(code)
    }

    /// What it means for the vault.
    ///
    /// Only the TPM itself can say that an item's key is not its own: by the Name of its primary key, which it derives
    /// from a permanent seed (A26).
    var refusal: DeviceRefusal {
        switch self {
        case .code(let code): (known?.refusal ?? .unclassified).because(of: UnderlyingCode(.tpm, code))
        case .anotherTPM: .absent
        case .malformed: .unclassified
        case .gaveUp, .folderFailed: .unavailable
        }
    }
}
