@testable import ThumbturnLinux

// What other programs do to a TPM, in its own bytes.
extension SoftwareTPM {
    private static let owner: [UInt8] = [0x40, 0, 0, 0x01]
    /// The empty password, as a session.
    private static let noPassword: [UInt8] = [0, 0, 0, 9, 0x40, 0, 0, 0x09, 0, 0, 0, 0, 0]

    private static func frame(_ tag: UInt8, _ code: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0x80, tag, 0, 0, 0, UInt8(10 + body.count), 0, 0, 0x01, code] + body
    }

    private static func bytes(_ handle: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: handle >> $0) }
    }

    enum Hierarchy: UInt32 {
        case owner = 0x4000_0001
        case endorsement = 0x4000_000B
    }

    /// `TPM2_CreatePrimary` with TCG's storage template for P-256; the object stays until it is flushed.
    func createPrimary(in hierarchy: Hierarchy = .owner, password: String = "") throws -> UInt32 {
        // FIXEDTPM, FIXEDPARENT, SENSITIVEDATAORIGIN, USERWITHAUTH, NODA, RESTRICTED, DECRYPT; AES-128-CFB; P-256.
        let template: [UInt8] = [
            0, 0x23, 0, 0x0B, 0, 0x03, 0x04, 0x72, 0, 0, 0, 0x06, 0, 0x80, 0, 0x43, 0, 0x10, 0, 0x03, 0, 0x10, 0, 0, 0,
            0,
        ]
        let password = Array(password.utf8)
        let sensitive = [0, UInt8(password.count)] + password + [0, 0]
        let body =
            Self.bytes(hierarchy.rawValue) + Self.noPassword + [0, UInt8(sensitive.count)] + sensitive
            + [0, UInt8(template.count)] + template + [0, 0, 0, 0, 0, 0]
        return try handle(from: Self.frame(2, 0x31, body))
    }

    /// `TPM2_HierarchyControl`: the owner hierarchy is off until the next boot.
    func turnOwnerOff() throws {
        let platform: [UInt8] = [0x40, 0, 0, 0x0C]
        try succeed(Self.frame(2, 0x21, platform + Self.noPassword + Self.owner + [0]))
    }

    /// `TPM2_DictionaryAttackParameters` under the empty lockout password, as the owner of the machine sets them.
    func setLimits(tries: UInt32, recovery: UInt32, lockoutRecovery: UInt32 = 86_400) throws {
        let lockout: [UInt8] = [0x40, 0, 0, 0x0A]
        let limits = Self.bytes(tries) + Self.bytes(recovery) + Self.bytes(lockoutRecovery)
        try succeed(Self.frame(2, 0x3A, lockout + Self.noPassword + limits))
    }

    /// `TPM2_StartAuthSession`; the session stays until it is flushed.
    func startSession() throws -> UInt32 {
        let null: [UInt8] = [0x40, 0, 0, 0x07]
        let nonce = [0, 16] + [UInt8](repeating: 1, count: 16)
        return try handle(from: Self.frame(1, 0x76, null + null + nonce + [0, 0, 0, 0, 0x10, 0, 0x0B]))
    }

    /// `TPM2_FlushContext`, in its bytes.
    static func flushing(_ handle: UInt32) -> [UInt8] { frame(1, 0x65, bytes(handle)) }

    func flush(_ handle: UInt32) throws { try succeed(Self.flushing(handle)) }

    /// The storage key lies at its place by convention, as a system's own programs put it there.
    func makePersistentKey(in hierarchy: Hierarchy = .owner, password: String = "") throws {
        let key = try createPrimary(in: hierarchy, password: password)
        try evict(key)
        try flush(key)
    }

    /// `TPM2_EvictControl`: what lies in that place goes, or `key` comes there.
    func evict(_ key: UInt32 = 0x8100_0001) throws {
        try succeed(Self.frame(2, 0x20, Self.owner + Self.bytes(key) + Self.noPassword + Self.bytes(0x8100_0001)))
    }

    /// `TPM2_NV_DefineSpace` until not even a counter has room; returns what was made.
    func fillMemory() throws -> [UInt32] {
        var made: [UInt32] = []
        // A TPM keeps some room for counters alone.
        for (byteCount, kind) in [(2_048, 0), (256, 0), (8, 0), (8, 0x10)] as [(UInt16, UInt8)] {
            while true {
                let index = 0x0100_0000 + UInt32(made.count)
                // SHA-256; AUTHREAD, AUTHWRITE, OWNERREAD, OWNERWRITE, NO_DA.
                let area =
                    Self.bytes(index) + [0, 0x0B, 0x02, 0x06, 0, 0x06 | kind, 0, 0]
                    + [UInt8(byteCount >> 8), UInt8(byteCount & 0xFF)]
                let answer = try command(
                    Self.frame(2, 0x2A, Self.owner + Self.noPassword + [0, 0, 0, UInt8(area.count)] + area)
                )
                guard TPMCode(answer) != .counterSpace else { break }
                guard answer == 0 else { throw Failure(description: "refused: \(answer)") }
                made.append(index)
            }
        }
        return made
    }

    /// `TPM2_NV_DefineSpace` for eight bytes, with a Name of SHA-384.
    func define(_ index: UInt32) throws {
        // AUTHREAD, AUTHWRITE, OWNERREAD, OWNERWRITE, NO_DA.
        let area = Self.bytes(index) + [0, 0x0C, 0x02, 0x06, 0, 0x06, 0, 0, 0, 8]
        try succeed(Self.frame(2, 0x2A, Self.owner + Self.noPassword + [0, 0, 0, UInt8(area.count)] + area))
    }

    /// `TPM2_NV_Extend` with the empty password, in its bytes.
    static func extending(_ index: UInt32, by link: [UInt8]) -> [UInt8] {
        let data = [UInt8(link.count >> 8), UInt8(link.count & 0xFF)] + link
        var frame = frame(2, 0x36, bytes(index) + bytes(index) + noPassword + data)
        frame[8] = 0x01
        return frame
    }

    func extend(_ index: UInt32, by link: [UInt8]) throws { try succeed(Self.extending(index, by: link)) }

    /// `TPM2_NV_UndefineSpace`.
    func undefine(_ index: UInt32) throws {
        try succeed(Self.frame(2, 0x22, Self.owner + Self.bytes(index) + Self.noPassword))
    }

    private func succeed(_ bytes: [UInt8]) throws {
        let code = try command(bytes)
        guard code == 0 else { throw Failure(description: "refused: \(code)") }
    }
}
