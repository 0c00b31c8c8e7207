import Testing
import ThumbturnRules

@testable import ThumbturnLinux

@Suite("Codes of a TPM")
struct TPMCodeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let code: UInt32
        let known: TPMCode
        let refusal: DeviceRefusal
        var testDescription: String { "0x" + String(code, radix: 16) }

        init(_ code: UInt32, _ known: TPMCode, _ refusal: DeviceRefusal) {
            self.code = code
            self.known = known
            self.refusal = refusal
        }
    }

    /// The codes as a TPM gives them, with the digits of a session, a handle or a parameter.
    static let rows = [
        Row(0x98E, .wrongAuthorisation, .wrongAuthorisation), Row(0xA8E, .wrongAuthorisation, .wrongAuthorisation),
        Row(0x9A2, .notAuthorised, .unavailable), Row(0x921, .lockout, .lockedOut),
        Row(0x185, .hierarchyOff, .unavailable),
        Row(0x126, .policyOver, .revoked), Row(0x99D, .policyDiffers, .revoked),
        Row(0x12F, .policyMissing, .unclassified), Row(0x1DF, .integrity, .revoked),
        Row(0x902, .objectMemory, .unavailable), Row(0x903, .sessionMemory, .unavailable),
        Row(0x905, .sessionHandles, .unavailable), Row(0x910, .objectGone, .unavailable),
        Row(0x916, .objectGone, .unavailable), Row(0x918, .sessionGone, .unavailable),
        Row(0x91E, .sessionGone, .unavailable), Row(0x18B, .noSuchHandle, .unclassified),
        Row(0x14C, .counterDefined, .unclassified), Row(0x14A, .counterUnwritten, .unclassified),
        Row(0x14B, .counterSpace, .unavailable), Row(0x920, .rateLimited, .unavailable),
        Row(0x923, .memoryUnavailable, .unavailable), Row(0x922, .busy, .unavailable),
        Row(0x90A, .testing, .unavailable), Row(0x908, .yielded, .unavailable), Row(0x909, .cancelled, .unavailable),
        Row(0x100, .notStarted, .unavailable), Row(0x101, .failureMode, .unavailable),
        Row(0xA0008, .noConnection, .unavailable), Row(0xA000A, .connectionLost, .unavailable),
        Row(0xA0015, .unknownTransport, .unavailable),
        // What a resource manager hands on.
        Row(0xB0902, .objectMemory, .unavailable), Row(0xC098E, .wrongAuthorisation, .wrongAuthorisation),
    ]

    @Test(arguments: rows)
    func `each code has its row and its refusal`(row: Row) {
        #expect(TPMCode(row.code) == row.known)
        #expect(TPMFailure.code(row.code).refusal == row.refusal)
        // Whole, with the digits that the table leaves out.
        #expect(TPMFailure.code(row.code).refusal.underlying == UnderlyingCode(.tpm, row.code))
    }

    @Test func `every row of the table is tested`() {
        #expect(Set(Self.rows.map(\.known)) == Set(TPMCode.allCases))
        #expect(Set(TPMCode.allCases.map(\.base)).count == TPMCode.allCases.count)
    }

    @Test(arguments: [0x1, 0x984, 0x9D5, 0x7000B, 0x9000A, 0xFFFF_FFFF] as [UInt32])
    func `a code that no row lists ends in the strong factor`(code: UInt32) {
        #expect(TPMCode(code) == nil)
        #expect(TPMFailure.code(code).refusal == .unclassified)
    }

    @Test func `only what lacks room or lost its handles is tried again`() {
        let tried: Set<TPMCode> = [
            .objectMemory, .sessionMemory, .sessionHandles, .objectGone, .sessionGone, .busy, .testing, .yielded,
        ]
        #expect(Set(TPMCode.allCases.filter(\.mayPassAnew)) == tried)
    }

    @Test(.holds("A26")) func `only the TPM's own Name says that an item is another's`() {
        #expect(TPMFailure.anotherTPM.refusal == .absent)
        #expect(TPMCode.allCases.allSatisfy { $0.refusal != .absent })
    }
}
