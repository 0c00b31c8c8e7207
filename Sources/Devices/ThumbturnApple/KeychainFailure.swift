import Security

struct KeychainFailure: Error, Hashable {
    let status: OSStatus

    var isNotFound: Bool { status == errSecItemNotFound }
    var lacksEntitlement: Bool { status == errSecMissingEntitlement }
    var isDuplicate: Bool { status == errSecDuplicateItem }
}
