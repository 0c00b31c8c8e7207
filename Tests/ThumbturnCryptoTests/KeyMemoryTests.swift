import Testing

@testable import ThumbturnCrypto

struct KeyMemoryTests {
    @Test func `memory that is given back holds zeros, and is taken once`() {
        let memory = KeyMemory()
        let key = UnsafeMutableRawPointer.allocate(byteCount: KeyMemory.byteCount, alignment: 16)
        defer { unsafe key.deallocate() }
        unsafe key.initializeMemory(as: UInt8.self, repeating: 0xA5, count: KeyMemory.byteCount)
        let before = unsafe memory.take()
        unsafe memory.giveBack(key)
        let first = unsafe memory.take()
        let second = unsafe memory.take()
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: key, count: KeyMemory.byteCount))
        #expect(bytes.allSatisfy { $0 == 0 })
        #expect(unsafe before == nil)
        #expect(unsafe first == key)
        #expect(unsafe second == nil)
    }

    @Test func `tasks that end keys at once never share one`() async {
        let mixedUp = await withTaskGroup(of: Int.self) { group in
            for worker in UInt8(1)...8 {
                group.addTask {
                    (0..<2_000).count { _ in
                        let key = unsafe SecretBytes(byteCount: KeyMemory.byteCount) { buffer in
                            unsafe buffer.initializeMemory(as: UInt8.self, repeating: worker)
                        }
                        return key.withBytes { bytes in
                            unsafe bytes.withUnsafeBytes { unsafe !$0.allSatisfy { $0 == worker } }
                        }
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(mixedUp == 0)
    }
}
