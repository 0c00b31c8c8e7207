import Security

/// A call of the keychain that did not succeed.
struct KeychainFailure: Error, Hashable {
    let status: OSStatus

    var isNotFound: Bool { status == errSecItemNotFound }
    var lacksEntitlement: Bool { status == errSecMissingEntitlement }
    var isDuplicate: Bool { status == errSecDuplicateItem }
}
