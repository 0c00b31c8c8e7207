import Testing
import ThumbturnRules

/// What an error carries of the system below: a domain and a number.
@Suite struct UnderlyingCodeTests {
    @Test func `a code is two numbers, and each domain has a name of its own`() {
        #expect(MemoryLayout<UnderlyingCode>.size == 16)
        for child in Mirror(reflecting: UnderlyingCode(.errno, 28)).children {
            #expect(child.value is UnderlyingCode.Domain || child.value is Int64, "\(child.label ?? "")")
        }
        #expect(Set(UnderlyingCode.Domain.allCases.map(\.name)).count == UnderlyingCode.Domain.allCases.count)
    }

    @Test func `a number keeps its sign, and one that is too large is clamped`() {
        #expect(UnderlyingCode(.osStatus, Int32(-25_293)).number == -25_293)
        #expect(UnderlyingCode(.tpm, UInt32.max).number == 4_294_967_295)
        #expect(UnderlyingCode(.tpm, UInt64.max).number == .max)
    }

    @Test func `refusals and errors are equal whatever number led to them`() {
        let locked = DeviceRefusal(.unavailable, underlying: UnderlyingCode(.osStatus, -25_308))
        #expect(locked == .unavailable)
        #expect(Set([locked, .unavailable]).count == 1)
        #expect(locked != .absent)
        let error = VaultError(.storageUnavailable, because: locked)
        #expect(error == VaultError(.storageUnavailable))
        #expect(error.underlying == locked.underlying && error.refusal == .unavailable)
    }

    @Test func `the first number stays, because it is nearest to the cause`() {
        let first = UnderlyingCode(.errno, 5)
        let refusal = DeviceRefusal.unavailable.because(of: first)
        #expect(refusal.because(of: UnderlyingCode(.errno, 6)).underlying == first)
        #expect(refusal.because(of: nil).underlying == first)
    }

    @Test func `a refusal is described by its meaning alone`() {
        #expect("\(DeviceRefusal(.lockedOut, underlying: UnderlyingCode(.localAuthentication, -8)))" == "lockedOut")
        #expect("\(DeviceRefusal.readerFailed(afterMismatch: true))" == "readerFailed(afterMismatch: true)")
    }
}
