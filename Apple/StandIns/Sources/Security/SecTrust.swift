public import Foundation

/// A certificate, opaque to apps.
public final class SecCertificate: NSObject, Sendable {
    let der: Data

    init(_ der: Data) { self.der = der }
}

/// Reads a certificate; nil where the bytes are none, of which only their beginning is looked at here.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    let der = data as Data
    return der.first == 0x30 ? SecCertificate(Data([UInt8](der))) : nil
}

public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { certificate.der as NSData }

/// What is to be judged: a server's chain, under the policy that it is of the host that was asked for.
public final class SecTrust: @unchecked Sendable {
    // Safe to share: one exchange has it, whose calls come one after the other.
    private let chain: [Data]
    private let namesHost: Bool
    private let trustsSystem: Bool
    private let date: OSStatus
    private var anchors: [Data]?
    private var anchorsOnly = true

    /// For the stand-ins and their tests alone.
    ///
    /// - Parameters:
    ///   - chain: the server's own certificate first, its authority's last; signatures are not looked at.
    ///   - namesHost: whether the server's certificate names the host.
    ///   - trustsSystem: whether the system trusts the chain's end.
    ///   - date: what is said of the chain's dates.
    public init(chain: [Data], namesHost: Bool, trustsSystem: Bool, date: OSStatus = errSecSuccess) {
        (self.chain, self.namesHost, self.trustsSystem, self.date) = (chain, namesHost, trustsSystem, date)
    }

    func set(anchors: [Data]) {
        (self.anchors, anchorsOnly) = (anchors, true)
    }

    func set(anchorsOnly: Bool) { self.anchorsOnly = anchorsOnly }

    /// Why it is refused; nil where it is not.
    var fault: OSStatus? {
        let endsAtAnchor = anchors.map { anchors in chain.last.map(anchors.contains) == true } ?? false
        let endsAtSystem = trustsSystem && (anchors == nil || !anchorsOnly)
        guard endsAtAnchor || endsAtSystem else { return errSecNotTrusted }
        guard date == errSecSuccess else { return date }
        return namesHost ? nil : errSecParam
    }

    var certificates: [SecCertificate] { chain.map(SecCertificate.init) }
}

/// Sets the certificates that are trusted; from then on the system's are not, until they are asked for again [doc].
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    guard let anchors = anchorCertificates as? [SecCertificate] else { return errSecParam }
    trust.set(anchors: anchors.map(\.der))
    return errSecSuccess
}

public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.set(anchorsOnly: anchorCertificatesOnly)
    return errSecSuccess
}

public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    guard let fault = trust.fault else { return true }
    unsafe error?.pointee = NSError(domain: NSOSStatusErrorDomain, code: Int(fault))
    return false
}

public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { trust.certificates as NSArray }
