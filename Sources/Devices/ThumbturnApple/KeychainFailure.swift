import Security
import ThumbturnRules

struct KeychainFailure: Error, Hashable {
    let status: OSStatus

    /// The number for a log or a report.
    var code: UnderlyingCode { UnderlyingCode(.osStatus, status) }
    var isNotFound: Bool { status == errSecItemNotFound }
    var lacksEntitlement: Bool { status == errSecMissingEntitlement }
    var isDuplicate: Bool { status == errSecDuplicateItem }
}
