import Testing
import ThumbturnCrypto
import ThumbturnRules

@testable import ThumbturnService

@Suite struct NonceMemoryTests {
    @Test(.holds("P-107-05")) func `a nonce is new once for each device, also behind as many as are remembered`() {
        let memory = NonceMemory(capacity: 4)
        let (one, other) = (Identifier.make(), Identifier.make())
        #expect(memory.add([0], of: one))
        #expect(!memory.add([0], of: one))
        #expect(memory.add([0], of: other))
        for number in 1...3 as ClosedRange<UInt8> { #expect(memory.add([number], of: one)) }
        #expect(!memory.add([0], of: one))
    }
}
