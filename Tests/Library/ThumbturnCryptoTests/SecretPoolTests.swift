import Testing

@testable import ThumbturnCrypto

struct SecretPoolTests {
    @Test(arguments: SecretPool.sizes)
    func `a block that is given back holds zeros, and is taken once, by a secret of its size`(byteCount: Int) {
        let pool = SecretPool()
        let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
        defer { unsafe block.deallocate() }
        unsafe block.initializeMemory(as: UInt8.self, repeating: 0xA5, count: byteCount)
        let before = unsafe pool.take(byteCount)
        unsafe pool.giveBack(block, byteCount)
        let others = [32, 33, 512, 513].count { unsafe $0 != byteCount && pool.take($0) != nil }
        let first = unsafe pool.take(byteCount)
        let second = unsafe pool.take(byteCount)
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: block, count: byteCount))
        #expect(bytes.allSatisfy { $0 == 0 })
        #expect(unsafe before == nil)
        #expect(others == 0)
        #expect(unsafe first == block)
        #expect(unsafe second == nil)
    }

    @Test func `a secret lies in the smallest block that holds it`() {
        let lengths = [0, 1, 16, 32, 33, 64, 512, 513, 4_096]
        let blocks = [32, 32, 32, 32, 512, 512, 512, 513, 4_096]
        #expect(lengths.map(SecretPool.blockByteCount) == blocks)
    }

    /// What a longer secret left would stand behind a shorter one.
    @Test func `a secret that ends leaves no byte of it in its block`() {
        let (long, short) = (SecretPool.blockByteCount(for: 100), SecretPool.blockByteCount(for: 70))
        #expect(long == short)
        for _ in 0..<50 {
            _ = unsafe SecretBytes(byteCount: 100) { unsafe $0.initializeMemory(as: UInt8.self, repeating: 0xA5) }
            let next = unsafe SecretBytes(byteCount: 70) { _ in }
            let block = unsafe Array(UnsafeRawBufferPointer(start: next.start, count: short))
            #expect(block.allSatisfy { $0 == 0 })
        }
    }

    @Test(arguments: [20, 32, 90])
    func `tasks that end secrets at once never share a block`(byteCount: Int) async {
        let mixedUp = await withTaskGroup(of: Int.self) { group in
            for worker in UInt8(1)...8 {
                group.addTask {
                    (0..<2_000).count { _ in
                        let key = unsafe SecretBytes(byteCount: byteCount) { buffer in
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
