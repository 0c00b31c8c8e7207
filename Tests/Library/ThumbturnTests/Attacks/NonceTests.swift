import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

/// A snapshot of a machine, or a fork, draws the same random numbers twice.
@Suite struct NonceTests {
    @Test(.holds("A60")) func `two seals of one secret share no salt, no nonce and no ciphertext`() throws {
        let key = MasterKey.make()
        let (wallet, vault) = (Identifier.make(), Identifier.make())
        var seals: [[UInt8]] = []
        for _ in 0..<50 {
            let secret = SecretBytes(text: "a secret of many words")
            seals.append(try secret.withBytes { try key.seal($0, kind: .opaque, wallet: wallet, vault: vault) })
        }
        #expect(Set(seals.map { Array($0[34..<66]) }).count == 50)
        #expect(Set(seals.map { Array($0[66..<78]) }).count == 50)
        #expect(Set(seals.map { Array($0[78...]) }).count == 50)
    }

    @Test(.holds("A60")) func `a box under the salt of another does not open: the key goes with the salt`() throws {
        let key = MasterKey.make()
        let (wallet, vault) = (Identifier.make(), Identifier.make())
        let secret = SecretBytes(text: "a secret of many words")
        let one = try secret.withBytes { try key.seal($0, kind: .opaque, wallet: wallet, vault: vault) }
        let two = try secret.withBytes { try key.seal($0, kind: .opaque, wallet: wallet, vault: vault) }
        let boxStart = WalletRecord.headerByteCount + WalletRecord.saltByteCount
        let mixed = Array(one[..<boxStart]) + Array(two[boxStart...])
        let error = failure(of: { () throws(VaultError) in
            _ = try key.open(mixed, kind: .opaque, wallet: wallet, vault: vault).byteCount
        })
        #expect(error?.code == .vaultTampered)
        let opened = try key.open(one, kind: .opaque, wallet: wallet, vault: vault).byteCount
        #expect(opened == 22)
    }

    #if os(Linux)
    @Test(.holds("A60")) func `a process and its fork share no salt and no nonce`() throws {
        let folder = try TemporaryFolder()
        let (drawn, end) = try TestChild(["fork", folder.path, folder.file("device")]).finish()
        #expect(end == .exited(0))
        // Before the fork 5 seals with a salt and a nonce each, and after it 5 in either process.
        #expect(drawn.count == 30 && Set(drawn).count == 30)
    }

    @Test(.holds("A60")) func `with all randomness replayed, no two wallets' secrets lie under one keystream`() throws {
        let one = MasterKey.make()
        let two = MasterKey.make()
        let (wallet, other, vault, elsewhere) = (
            Identifier.make(), Identifier.make(), Identifier.make(), Identifier.make()
        )
        var seals: [[UInt8]] = []
        for (wallet, vault) in [(wallet, vault), (other, vault), (wallet, elsewhere)] {
            let secret = SecretBytes(text: "a secret of many words")
            for isFirst in [true, false] {
                seals.append(
                    try ReplayedRandomness.replaying {
                        try secret.withBytes { bytes in
                            if isFirst { return try one.seal(bytes, kind: .opaque, wallet: wallet, vault: vault) }
                            return try two.seal(bytes, kind: .opaque, wallet: wallet, vault: vault)
                        }
                    }
                )
            }
        }
        // The salt and the nonce did come again …
        #expect(Set(seals.map { Array($0[34..<78]) }).count == 1)
        // … and of one plaintext there are six ciphertexts, which have no byte run in common.
        #expect(Set(seals.map { Array($0[78..<86]) }).count == 6)
    }
    #endif

    @Test(.holds("K-01")) func `each wallet is sealed on its own: as another wallet, kind or vault it does not open`()
        throws
    {
        let key = MasterKey.make()
        let (wallet, vault) = (Identifier.make(), Identifier.make())
        let sealed = try SecretBytes(text: "secret").withBytes {
            try key.seal($0, kind: .mnemonic, wallet: wallet, vault: vault)
        }
        let tries: [(WalletKind, Identifier, Identifier)] = [
            (.privateKey, wallet, vault), (.opaque, wallet, vault), (.mnemonic, .make(), vault),
            (.mnemonic, wallet, .make()),
        ]
        for (kind, wallet, vault) in tries {
            let error = failure(of: { () throws(VaultError) in
                _ = try key.open(sealed, kind: kind, wallet: wallet, vault: vault).byteCount
            })
            #expect(error?.code == .vaultTampered)
        }
    }
}
