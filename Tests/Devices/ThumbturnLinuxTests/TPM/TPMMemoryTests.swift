import Foundation
import Glibc
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

struct WipingHeapTests {
    @Test func `a library leaves the heap of its host alone, until the program turns it on`() {
        let settings = Shared<[Int32]>([])
        let heap = WipingHeap { settings.append($0) }
        heap.run { heap.run {} }
        #expect(settings.value.isEmpty)
        heap.turnOn()
        heap.run { heap.run { #expect(settings.value == [0xFF, 0xFF]) } }
        #expect(settings.value == [0xFF, 0xFF, 0xFF, 0])
    }
}

/// What stays in this process of a secret that was used and wiped.
@Suite("Memory after a TPM was used", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMMemoryTests {
    private static let secret = ItemName.sample(9, .deviceSecret)
    private static let slot = Identifier(high: 3, low: 4)

    init() { WipingHeap.shared.turnOn() }

    @Test(.holds("A53")) func `nothing stays of a secret that was saved, read and wiped`() async throws {
        let bench = try await TPMBench()
        for access in [AccessControl.deviceOnly, .currentBiometrySet] {
            let name = ItemName.sample(access == .deviceOnly ? 1 : 2)
            let secret = try await splitSecret { secret async throws in
                try await bench.store.save(secret, as: name, access: access)
            }
            #expect(try await copies(of: secret, bench) == 0, "after saving, \(access)")
            try bench.touch()
            _ = try await bench.store.read(name, prompt: sampleText)
            #expect(try await copies(of: secret, bench) == 0, "after reading, \(access)")
        }
    }

    @Test(.holds("A53")) func `nothing stays of an answer and of an authorisation`() async throws {
        let bench = try await TPMBench()
        try await bench.store.makeDeviceSecret(Self.secret)
        let authorisation = try await splitSecret { authorisation async throws in
            try await bench.store.guardDeviceSecret(Self.secret, for: Self.slot, with: authorisation)
            _ = try await bench.store.evaluate(Self.secret, for: Self.slot, with: authorisation, input: [1])
        }
        #expect(try await copies(of: authorisation, bench) == 0)
        let wrong = try await splitSecret { wrong async throws in
            await #expect(throws: DeviceRefusal.wrongAuthorisation) {
                _ = try await bench.store.evaluate(Self.secret, for: Self.slot, with: wrong, input: [1])
            }
        }
        #expect(try await copies(of: wrong, bench) == 0)
        let answer = SplitSecret(try await bench.store.evaluate(Self.secret, input: [1]))
        #expect(try await copies(of: answer, bench) == 0)
    }

    @Test(.holds("A53")) func `nothing stays of a secret when the TPM dies before any command`() async throws {
        let bench = try await TPMBench()
        var number: UInt64 = 0
        try await cutEverywhere(bench) { secret in
            number += 1
            try await bench.store.save(secret, as: .sample(number), access: .deviceOnly)
        }
        let saved = try await splitSecret { secret async throws in
            try await bench.store.save(secret, as: .sample(0), access: .deviceOnly)
        }
        try await cutEverywhere(bench, besides: saved) { _ in
            _ = try await bench.store.read(.sample(0), prompt: sampleText)
        }
    }

    @Test(.holds("A53")) func `nothing stays of an authorisation when the TPM dies before any command`() async throws {
        let bench = try await TPMBench()
        try await bench.store.makeDeviceSecret(Self.secret)
        var number: UInt64 = 0
        try await cutEverywhere(bench) { authorisation in
            number += 1
            let slot = Identifier(high: 1, low: number)
            try await bench.store.guardDeviceSecret(Self.secret, for: slot, with: authorisation)
        }
        try await bench.store.guardDeviceSecret(Self.secret, for: Self.slot, with: .sample(7))
        try await cutEverywhere(bench) { wrong in
            _ = try await bench.store.evaluate(Self.secret, for: Self.slot, with: wrong, input: [1])
        }
    }

    @Test func `a secret that lives is found`() throws {
        let secret = SecretBytes.random(byteCount: 32)
        let split = SplitSecret(secret)
        #expect(try split.copies() == 1)
        let copy = secret.withBytes { $0.exposed }
        #expect(try split.copies() >= 2)
        #expect(copy.count == secret.byteCount)
    }

    /// Runs a call with a new secret, again and again, each time with a TPM that dies one command later.
    private func cutEverywhere(
        _ bench: TPMBench,
        besides other: SplitSecret? = nil,
        _ call: (borrowing SecretBytes) async throws -> Void
    ) async throws {
        var (stop, isWhole) = (0, false)
        while !isWhole {
            let (cut, tpm) = (stop, bench.tpm)
            bench.proxy.beforeEach { number in
                if number == cut { tpm.kill() }
            }
            let secret = try await splitSecret { secret async throws in try? await call(secret) }
            isWhole = bench.proxy.commands.count <= stop
            bench.proxy.beforeEach(nil)
            for secret in [secret, other].compactMap(\.self) {
                #expect(try await copies(of: secret, bench) == 0, "a cut before command \(stop)")
            }
            if !isWhole { try tpm.start() }
            try tpm.forgiveGuesses()
            stop += 1
        }
        #expect(stop > 4)
    }

    /// Runs a call with a secret that ends with it, and gives what is needed to look for it.
    private func splitSecret(_ call: (borrowing SecretBytes) async throws -> Void) async throws -> SplitSecret {
        let secret = SecretBytes.random(byteCount: 32)
        try await call(secret)
        return SplitSecret(secret)
    }

    private func copies(of secret: SplitSecret, _ bench: TPMBench) async throws -> Int {
        // The store's thread lets go of a call's secrets when it turns to the next.
        _ = await bench.store.lockout()
        return try secret.copies()
    }
}

/// A secret as two random halves, which are only ever joined byte by byte: so a search for it doesn't find itself.
private struct SplitSecret {
    private let pad: [UInt8]
    private let masked: [UInt8]

    init(_ secret: borrowing SecretBytes) {
        let pad = RandomBytes.make(secret.byteCount)
        self.pad = pad
        masked = secret.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { bytes in pad.indices.map { unsafe bytes[$0] ^ pad[$0] } }
        }
    }

    private func byte(_ index: Int) -> UInt8 { masked[index] ^ pad[index] }

    /// How often the secret lies in what this process may write: heap, stacks, everything but guarded pages.
    func copies() throws -> Int {
        let lines = try MemoryScan.lines(of: "/proc/self/maps")
        let memory = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        try #require(memory >= 0)
        defer { close(memory) }
        var found = 0
        let chunk = 1 << 20
        var buffer = [UInt8](repeating: 0, count: chunk)
        for line in lines {
            let fields = line.split(separator: " ")
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard bounds.count == 2, fields[1].hasPrefix("rw") else { continue }
            var start = bounds[0]
            while start < bounds[1] {
                let wanted = min(chunk, Int(bounds[1] - start))
                let count = unsafe pread(memory, &buffer, wanted, off_t(start))
                guard count > masked.count else { break }
                found += unsafe buffer.withUnsafeMutableBytes { bytes -> Int in
                    guard let start = bytes.baseAddress else { return 0 }
                    // What was read must be gone before the search comes to its own buffer.
                    defer { unsafe explicit_bzero(start, count) }
                    return unsafe self.count(in: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                }
                if count < wanted || start + UInt(count) == bounds[1] { break }
                // One byte short of a whole secret: each place is seen once.
                start += UInt(count - (masked.count - 1))
            }
        }
        return found
    }

    private func count(in bytes: UnsafeRawBufferPointer) -> Int {
        // Memory is full of zeros, and of what the heap writes over freed blocks.
        guard let base = bytes.baseAddress,
            let anchor = masked.indices.first(where: { ![0, 0xFF].contains(byte($0)) })
        else { return 0 }
        var (hits, position) = (0, anchor)
        let last = bytes.count - masked.count + anchor
        while position <= last,
            let found = unsafe memchr(base + position, CInt(byte(anchor)), last - position + 1)
        {
            position = unsafe UnsafeRawPointer(found) - base
            let start = position - anchor
            if masked.indices.allSatisfy({ unsafe bytes[start + $0] == byte($0) }) { hits += 1 }
            position += 1
        }
        return hits
    }
}
