import Thumbturn

extension Measurement {
    /// Returns the figures of the Linux device, on the stack in a folder.
    static func linux(on stack: String) -> [Measurement] {
        [
            Measurement(
                name: "tpm",
                ours: "unlock with the PIN on a TPM, less Argon2id: all that the vault waits for store and anchor",
                primitive:
                    "bare ESYS, the least for the same protection: one context, the storage key in its place, one salted "
                    + "session; NV_Read, a small file through to the disk, NV_Extend, NV_Read, GetCapability, Load, Unseal; both "
                    + "files read",
                pairs: 120,
                mostRatio: 1.1,
                prepare: { workshop in
                    let tpm = try workshop.tpm()
                    let vault = try await LinuxBench(in: workshop.newFolder(), on: tpm, stack: stack)
                    let raw = try workshop.rawPIN()
                    let other = try await workshop.vault(wallets: 10).vault
                    return Pair(
                        ours: { try await vault.unlockWithPIN() },
                        primitive: {
                            // Give both the caches that the vault has: after reading its file, and after Argon2id.
                            _ = try? await other.wallets()
                            let counting = try timed {
                                try raw.look()
                                try raw.count()
                            }
                            try RawArgon2.run()
                            return try counting + timed { try raw.unseal() }
                        }
                    )
                }
            ),
            Measurement(
                name: "tpm-open",
                ours: "open a vault on a TPM, before anything is typed: all that it waits for store and anchor",
                primitive:
                    "bare ESYS: 2 contexts, since one ends with its secret, in each the storage key in its place, one salted "
                    + "session, Load and Unseal: the ledger's secret, the trail's; NV_Read",
                pairs: 60,
                mostRatio: 1.1,
                prepare: { workshop in
                    let vault = try await LinuxBench(in: workshop.newFolder(), on: workshop.tpm(), stack: stack)
                    let raw = try workshop.rawPIN()
                    return Pair(
                        ours: { try await vault.openAnew() },
                        primitive: { try timed { try raw.beginProcess() } }
                    )
                }
            ),
            Measurement(
                name: "fprintd",
                ours: "unlock with a finger on a TPM, from fprintd's verify-match to the open session",
                primitive:
                    "bare ESYS, the least for the same protection: one context, the storage key in its place; Load, one "
                    + "salted session, in it PolicyNV, PolicyCounterTimer 2×, PolicyAuthValue; Unseal",
                pairs: 40,
                mostAbove: 0.008,
                prepare: { workshop in
                    let tpm = try workshop.tpm()
                    let reader = try BenchReader(stack: stack)
                    let vault = try await LinuxBench(in: workshop.newFolder(), on: tpm, stack: stack, reader: reader)
                    let raw = try RawFinger(on: RawTPM(transport: tpm.tcti))
                    return Pair(
                        ours: { try await vault.unlockWithFinger() },
                        primitive: { try timed { try raw.run() } }
                    )
                }
            ),
        ]
    }
}
