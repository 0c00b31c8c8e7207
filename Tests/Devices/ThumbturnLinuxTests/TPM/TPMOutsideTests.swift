import Foundation
import Testing
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnCommand
@testable import ThumbturnLinux

/// What a thief does with a TPM and a copy of its folder: stock tpm2-tools, and nothing of ours.
@Suite("A TPM from outside", .serialized, .enabled(if: SoftwareTPM.isThere && Tools.areThere))
struct TPMOutsideTests {
    private static let right = [UInt8](repeating: 7, count: 32)
    private static let wrong = [UInt8](repeating: 8, count: 32)
    private let secret = ItemName.sample(9, .deviceSecret)
    private let slot = Identifier(high: 3, low: 4)

    /// A slot's part under an authorisation, and the blobs of it in files of the tools' own.
    private func stolen() async throws -> (TPMBench, Tools) {
        let bench = try await TPMBench()
        try await bench.store.makeDeviceSecret(secret)
        try await bench.store.guardDeviceSecret(secret, for: slot, with: SecretBytes(record: Self.right))
        let tools = try Tools(tcti: bench.tpm.tcti)
        let file = "\(secret.text).\(slot.text)"
        let record = try bench.store.folder.withLock { folder throws(DeviceRefusal) in try folder.item(file)?.record }
        let sealed = try #require(record?.sealed)
        try tools.take(sealed, under: TPMStore.partsKey(secret))
        return (bench, tools)
    }

    @Test(.holds("A56"))
    func `without the lockout password guesses are counted, and at the limit the right one is refused too`()
        async throws
    {
        let (bench, tools) = try await stolen()
        try tools.setLockoutPassword("a lockout password")
        let limit = try #require(await bench.store.lockout()).limit
        #expect(try tools.opens(with: Self.right))
        for failures in 1...limit {
            #expect(try !tools.opens(with: Self.wrong))
            #expect(await bench.store.lockout()?.failures == failures)
        }
        #expect(try !tools.opens(with: Self.right), "it is locked out")
        #expect(try tools.run("tpm2_dictionarylockout -c").exitCode != 0)
        #expect(await bench.store.lockout()?.isLockedOut == true)
        #expect(try !tools.opens(with: Self.right))
    }

    @Test(.holds("A56"))
    func `with an empty lockout password the count is reset between guesses, so it is not believed`()
        async throws
    {
        let (bench, tools) = try await stolen()
        let limit = try #require(await bench.store.lockout()).limit
        for _ in 0..<5 {
            for _ in 1..<limit { #expect(try !tools.opens(with: Self.wrong)) }
            try tools.run("tpm2_dictionarylockout -c").succeeding()
            #expect(await bench.store.lockout()?.failures == 0)
        }
        #expect(try tools.opens(with: Self.right))
        #expect(bench.store.properties?.doubts.contains(.noLockoutPassword) == true)
    }

    @Test(.holds("A56")) func `with a recovery time of 0 nothing is counted, and what the tools set is what is read`()
        async throws
    {
        let (bench, tools) = try await stolen()
        try tools.setLockoutPassword("a lockout password")
        try tools.setLimits(tries: 32, recovery: 7_200, lockoutRecovery: 86_400)
        let properties = try await bench.store.tpm.properties()
        #expect(properties.hasLockoutPassword && properties.failureLimit == 32)
        #expect(properties.recoverySeconds == 7_200 && properties.lockoutRecoverySeconds == 86_400)
        #expect(properties.doubts == [.mayBeProgram], "which is all that a program can't get rid of")

        try tools.setLimits(tries: 2, recovery: 0, lockoutRecovery: 86_400)
        for _ in 0..<6 { #expect(try !tools.opens(with: Self.wrong)) }
        #expect(try tools.opens(with: Self.right), "six guesses at a limit of two")
        #expect(try await bench.store.tpm.properties().doubts == [.mayBeProgram, .recoveryTime])
    }

    @Test(.holds("A56")) func `every unlock looks anew, so a vault hears of a lockout password that went`() async throws
    {
        let (bench, tools) = try await stolen()
        let unlock = {
            _ = try await bench.store.evaluate(
                secret,
                for: slot,
                with: SecretBytes(record: Self.right),
                input: [1]
            )
        }
        try tools.setLockoutPassword("a lockout password")
        #expect(bench.store.properties?.hasLockoutPassword == false, "nobody has looked since")
        try await unlock()
        #expect(bench.store.properties?.hasLockoutPassword == true)
        try tools.removeLockoutPassword()
        try await unlock()
        #expect(bench.store.properties?.hasLockoutPassword == false)
    }

    @Test(.holds("A55")) func `who answers in the TPM's place can't lie at an unlock about what it counts`()
        async throws
    {
        let (bench, _) = try await stolen()
        // `TPM2_GetCapability` of properties from the permanent ones on: the bit of the lockout password is set.
        bench.proxy.forge { command, answer in
            guard command[8...9] == [0x01, 0x7A], let first = answer.indices.dropFirst(19).first,
                let place = Self.place(of: 0x200, in: answer), place >= first
            else { return answer }
            var answer = answer
            answer[place + 7] |= 0x04
            return answer
        }
        #expect(try await bench.store.tpm.properties().hasLockoutPassword, "a look that no session guards is fooled")
        let refused = await refusal { () async throws(DeviceRefusal) in
            let right = SecretBytes(record: Self.right)
            _ = try await bench.store.evaluate(secret, for: slot, with: right, input: [1])
        }
        #expect(refused == .unclassified)
        bench.proxy.forge(nil)
        let answer = try await bench.store.evaluate(
            secret,
            for: slot,
            with: SecretBytes(record: Self.right),
            input: [1]
        )
        #expect(answer.byteCount == 32 && bench.store.properties?.hasLockoutPassword == false)
    }

    /// Where a property stands in an answer: number 4 · value 4.
    private static func place(of property: UInt32, in answer: [UInt8]) -> Int? {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: property >> $0) }
        return answer.indices.dropLast(7).first { Array(answer[$0..<$0 + 4]) == bytes }
    }
}

/// tpm2-tools on one TPM, with files of their own.
private struct Tools {
    static let areThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/tpm2_dictionarylockout")
    private let tcti: String
    private let folder: TemporaryFolder

    init(tcti: String) throws {
        self.tcti = tcti
        folder = try TemporaryFolder()
    }

    /// Runs one, with words that have no blanks.
    @discardableResult
    func run(_ line: String) throws -> ChildProcess {
        let words = line.split(separator: " ").map(String.init)
        return try ChildProcess.run(
            "/usr/bin/" + words[0],
            Array(words.dropFirst()),
            environment: ["TPM2TOOLS_TCTI=\(tcti)", "PATH=/usr/bin", "HOME=\(folder.path)"]
        )
    }

    private func succeed(_ line: String) throws {
        let ended = try run(line)
        try #require(ended.exitCode == 0, "\(ended)")
    }

    /// Puts the blobs of an object where the tools find them, and the counter of its policy.
    func take(_ object: SealedObject, under counter: TPMCounterKey) throws {
        let limit = try #require(object.policy?.epoch)
        try folder.write((0..<8).map { UInt8(truncatingIfNeeded: limit >> (56 - 8 * $0)) }, to: "limit")
        try folder.write(Array("0x\(String(counter.firstIndex, radix: 16))".utf8), to: "counter")
        try folder.write(object.publicArea, to: "public")
        try folder.write(object.privateArea, to: "private")
        let attributes = "fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda|restricted|decrypt"
        let parent = folder.file("parent")
        try succeed("tpm2_createprimary -Q -C o -g sha256 -G ecc256:aes128cfb -a \(attributes) -c \(parent)")
        let blobs = "-u \(folder.file("public")) -r \(folder.file("private"))"
        try succeed("tpm2_load -Q -C \(parent) \(blobs) -c \(folder.file("object"))")
        try flush()
    }

    /// Whether an authorisation opens the object.
    func opens(with authorisation: [UInt8]) throws -> Bool {
        let digits = authorisation.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let session = folder.file("session")
        let counter = String(decoding: try folder.read("counter"), as: UTF8.self)
        try succeed("tpm2_startauthsession --policy-session -S \(session)")
        try succeed("tpm2_policynv -S \(session) -C o -i \(folder.file("limit")) \(counter) ule")
        try succeed("tpm2_policyauthvalue -S \(session)")
        let ended = try run("tpm2_unseal -c \(folder.file("object")) -p session:\(session)+hex:\(digits)")
        try succeed("tpm2_flushcontext \(session)")
        try flush()
        return ended.exitCode == 0
    }

    /// There is no resource manager here, and room for three objects.
    private func flush() throws { try succeed("tpm2_flushcontext -t") }

    private var password: String { "file:" + folder.file("password") }

    /// As `doctor` says it is done.
    func setLockoutPassword(_ password: String) throws {
        try folder.write(Array((password + "\n").utf8), to: "password")
        try succeed("tpm2_changeauth -c lockout \(self.password)")
    }

    func removeLockoutPassword() throws { try succeed("tpm2_changeauth -c lockout -p \(password)") }

    /// As `doctor` says it is done.
    func setLimits(tries: Int, recovery: Int, lockoutRecovery: Int) throws {
        try succeed("tpm2_dictionarylockout -s -n \(tries) -t \(recovery) -l \(lockoutRecovery) -p \(password)")
    }
}
