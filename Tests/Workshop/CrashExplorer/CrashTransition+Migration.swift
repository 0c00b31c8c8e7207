import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnSimulator
import ThumbturnTestKit

// What a former app left is taken over: by its PIN, by biometrics, what completes that, and what erases the rest.
extension CrashTransition {
    static let migration = takingOver + completing + erasing + importing

    private static let takingOver = [
        CrashTransition(
            "migrate",
            before: { try await $0.leave(.first) },
            from: .nothing,
            attempts: true,
            between: [guessOnce]
        ) { party in
            try await WayIn.pin.migrate(party)
        },
        CrashTransition(
            "migrateWithBiometrics",
            before: { try await $0.leave(.first, biometric: .mnemonic) },
            from: .nothing,
            attempts: true,
            between: [
                guessOnce,
                // The vault stands, without biometrics.
                { try await migrate($0, consents: false) },
            ]
        ) { party in
            try await migrate(party, consents: true)
        },
        CrashTransition(
            "migrateFile",
            before: { try $0.leaveFile() },
            from: .nothing
        ) { party in
            try await WayIn.pin.migrate(party)
        },
        CrashTransition(
            "migrateWrong",
            before: { try await $0.leave(.first) },
            from: .nothing,
            end: .legacySecretRefused
        ) { party in
            try await guess(party)
        },
        CrashTransition(
            "migrateByFinger",
            before: { try await $0.leave(.first, biometric: .mnemonic) },
            from: .nothing,
            between: [guessOnce]
        ) { party in
            try await WayIn.finger.migrate(party)
        },
        CrashTransition(
            "migrateByFingerOfPIN",
            before: { try await $0.leave(.first, biometric: .pin) },
            from: .nothing,
            between: [guessOnce]
        ) { party in
            try await WayIn.finger.migrate(party)
        },
        CrashTransition(
            "migrateByFingerAlone",
            before: { try await $0.leave(nil, biometric: .mnemonic) },
            from: .nothing,
            between: [cancelOnce]
        ) { party in
            try await WayIn.finger.migrate(party)
        },
        CrashTransition(
            "createDespiteFormer",
            before: { scene in
                try await scene.leave(.first)
                try await guessOnce(scene)
            },
            from: .nothing,
            // Nobody's guesses are counted any more.
            between: [createWeak]
        ) { party in
            party.keep(try await party.scene.create())
        },
    ]

    private static let completing = [
        // The PIN, and then the finger that is asked for.
        CrashTransition("complete", before: migrateHalf, from: .locked, races: false, attempts: true) { party in
            try party.scene.device.simulate(.finger(.match))
            try await party.vault().unlock(with: SecretBytes(text: CrashScene.firstPIN))
        },
        CrashTransition("completeWithoutFinger", before: migrateHalf, from: .locked, attempts: true) { party in
            _ = try await CrashScene.give(CrashScene.firstPIN, to: party.vault())
        },
        CrashTransition(
            "completeAfterFinger",
            before: migrateHalf,
            from: .locked,
            races: false,
            attempts: true,
            otherwise: [completeByPIN]
        ) { party in
            try await WayIn.finger.enter(party.vault(), in: party.scene)
            try await party.vault().unlock(with: SecretBytes(text: CrashScene.firstPIN))
        },
        CrashTransition(
            "completeByCall",
            before: migrateHalf,
            from: .locked,
            races: false,
            attempts: true
        ) { party in
            try party.scene.device.simulate(.finger(.match))
            try await party.vault().completeMigration(
                with: SecretBytes(text: CrashScene.firstPIN),
                newSecret: SecretBytes(text: CrashScene.secondPIN),
                prompt: FormerApp.prompt
            )
        },
        CrashTransition(
            "completeKeepingBoth",
            before: { scene in try await migrateHalf(scene, beside: .other) },
            from: .locked,
            races: false,
            attempts: true
        ) { party in
            try party.scene.device.simulate(.finger(.match))
            try await party.vault().completeMigration(
                with: SecretBytes(text: CrashScene.firstPIN),
                keepingBothAs: WalletName("Other"),
                prompt: FormerApp.prompt
            )
        },
        CrashTransition(
            "completeWrong",
            before: { scene in
                try await migrateHalf(scene)
                try await scene.guessWrong()
            },
            from: .locked,
            end: .strongFactorRefused,
            attemptRaise: 1
        ) { party in
            try await party.vault().unlock(with: SecretBytes(text: CrashScene.wrongPIN))
        },
        CrashTransition(
            "completeDisabling",
            before: migrateHalf,
            from: .locked,
            races: false,
            attempts: true,
            between: [completeAfterFinger, completeByPIN]
        ) { party in
            let vault = try await party.vault()
            try await WayIn.finger.enter(vault, in: party.scene)
            let authorization = try await vault.unlock(with: SecretBytes(text: CrashScene.firstPIN))
            try await vault.disableBiometrics(authorization)
        },
        CrashTransition(
            "completeImporting",
            before: migrateHalf,
            from: .locked,
            races: false,
            attempts: true,
            between: [completeAfterFinger, completeByPIN],
            otherwise: [completeByPINAndImport]
        ) { party in
            let vault = try await party.vault()
            try await WayIn.finger.enter(vault, in: party.scene)
            try await vault.unlock(with: SecretBytes(text: CrashScene.firstPIN))
            let (name, secret, kind) = CrashScene.wallets[1]
            try await vault.addWallet(named: WalletName(name), CrashScene.secret(secret, kind))
        },
    ]

    private static let erasing = [
        CrashTransition("eraseAtUnlock", before: migrateUnerased, from: .locked, attempts: true) { party in
            try await party.vault().unlock(with: SecretBytes(text: CrashScene.firstPIN))
        },
        CrashTransition("eraseByPrompt", before: migrateUnerased) { party in
            _ = try await party.wallet()
            try await WayIn.eraseFormer(party.vault(), in: party.scene)
        },
        CrashTransition(
            "eraseBlankFile",
            before: { scene in
                // A power failure came in the middle of erasing: the file begins with zeros.
                try scene.leaveFile()
                try await refusingDeletions(scene) { try? await WayIn.pin.migrate(Party(in: $0)) }
                try scene.leaveFile([UInt8](repeating: 0, count: FormerApp.Sealed.first.rawValue.utf8.count))
            },
            from: .locked,
            attempts: true
        ) { party in
            try await party.vault().unlock(with: SecretBytes(text: CrashScene.firstPIN))
        },
    ]

    private static let importing = [
        CrashTransition("importFormer", before: furnishBesideFormer, attempts: true) { party in
            _ = try await party.wallet()
            try await party.vault().migrate(
                [party.scene.migration],
                with: SecretBytes(text: CrashScene.firstPIN)
            )
        },
        CrashTransition(
            "importFormers",
            before: furnishBesideFormer,
            attempts: true,
            between: [
                // The wallets are in, and none of the former copies is erased, or one of them.
                { try await refusingDeletions($0, importFormers) },
                { try await refusingDeletions($0, of: FormerApp.sealedItem, importFormers) },
                { try await refusingDeletions($0, of: CrashScene.secondSealedItem, importFormers) },
                // What the device has deleted, a process that ends before it could say so never tells (0027).
                { try await erasingUntold($0, [FormerApp.sealedItem]) },
                { try await erasingUntold($0, [FormerApp.sealedItem, FormerApp.biometricItem]) },
                { try await erasingUntold($0, [CrashScene.secondSealedItem]) },
                {
                    try await erasingUntold(
                        $0,
                        [FormerApp.sealedItem, FormerApp.biometricItem, CrashScene.secondSealedItem]
                    )
                },
            ]
        ) { party in
            _ = try await party.wallet()
            try await party.vault().migrate(
                [party.scene.migration, party.scene.secondMigration],
                with: SecretBytes(text: CrashScene.firstPIN)
            )
        },
        CrashTransition(
            "importStore",
            before: furnishBesideStore,
            between: [
                // Both wallets are in, and neither of the former items is erased, or one of them.
                { try await refusingDeletions($0, importStore) },
                { try await refusingDeletions($0, of: FormerApp.sealedItem, importStore) },
                { try await refusingDeletions($0, of: CrashScene.secondSealedItem, importStore) },
                { try await erasingUntold($0, [FormerApp.sealedItem], after: importStore) },
                { try await erasingUntold($0, [CrashScene.secondSealedItem], after: importStore) },
                {
                    let both = [FormerApp.sealedItem, CrashScene.secondSealedItem]
                    try await erasingUntold($0, both, after: importStore)
                },
            ],
            // All was moved since this call read the store, which needs no lock: nothing is left to do.
            overtaken: [{ _ in }]
        ) { party in
            _ = try await party.wallet()
            try await party.vault().migrate(all: party.scene.formerStore, FormerApp.prompt)
        },
    ]
}

// How the scenes come about.
extension CrashTransition {
    /// A wrong guess at the former PIN leaves what counts it.
    private static let guessOnce: Stage = { scene in try? await guess(Party(in: scene)) }

    /// A prompt that was cancelled leaves the same.
    private static let cancelOnce: Stage = { scene in
        try scene.device.simulate(.finger(.cancel))
        _ = try? await Vault.migrateWithBiometrics(
            in: scene.vaultFolder,
            device: scene.seen,
            prompt: FormerApp.prompt,
            newSecret: SecretBytes(text: CrashScene.firstPIN),
            configuration: scene.configuration
        )
    }

    /// A PIN that is refused makes no vault, but the former app's guesses are given up by then.
    private static let createWeak: Stage = { scene in
        _ = try? await Vault.create(
            in: scene.vaultFolder,
            device: scene.seen,
            secret: SecretBytes(text: FormerApp.weakPIN),
            policy: CrashScene.policy,
            configuration: scene.configuration
        )
    }

    private static func guess(_ party: Party) async throws {
        let scene = party.scene
        _ = try await Vault.migrate(
            in: scene.vaultFolder,
            device: scene.seen,
            secret: SecretBytes(text: CrashScene.wrongPIN),
            configuration: scene.configuration
        )
    }

    private static func migrate(_ party: Party, consents: Bool) async throws {
        let scene = party.scene
        try scene.device.simulate(.finger(.match))
        let migration = try await Vault.migrate(
            in: scene.vaultFolder,
            device: scene.seen,
            secret: SecretBytes(text: CrashScene.firstPIN),
            biometrics: consents ? scene.consent : nil,
            prompt: FormerApp.prompt,
            configuration: scene.configuration
        )
        party.keep(migration.vault)
        if let failure = migration.biometricsFailure ?? migration.erasureFailure { throw failure }
    }

    private static func migrate(_ scene: CrashScene, consents: Bool) async throws {
        let party = Party(in: scene)
        try await migrate(party, consents: consents)
        await party.close()
    }

    private static let migrateHalf: Stage = { scene in try await migrateHalf(scene, beside: .first) }

    private static func migrateHalf(_ scene: CrashScene, beside sealed: FormerApp.Sealed) async throws {
        try await scene.leave(sealed, biometric: .mnemonic)
        let party = Party(in: scene)
        try await WayIn.finger.migrate(party)
        await party.close()
    }

    private static let completeAfterFinger: Stage = { scene in
        let vault = try await scene.open()
        try await WayIn.finger.enter(vault, in: scene)
        try await vault.unlock(with: SecretBytes(text: CrashScene.firstPIN))
        await vault.close()
    }

    private static let completeByPIN: Stage = { scene in
        let vault = try await scene.open()
        _ = try await CrashScene.give(CrashScene.firstPIN, to: vault)
        await vault.close()
    }

    private static let completeByPINAndImport: Stage = { scene in
        let vault = try await scene.open()
        _ = try await CrashScene.give(CrashScene.firstPIN, to: vault)
        let (name, secret, kind) = CrashScene.wallets[1]
        try await vault.addWallet(named: WalletName(name), CrashScene.secret(secret, kind))
        await vault.close()
    }

    /// Makes a vault, and leaves both former copies.
    private static let migrateUnerased: Stage = { scene in
        try await scene.leave(.first, biometric: .mnemonic)
        try await refusingDeletions(scene) { try? await WayIn.pin.migrate(Party(in: $0)) }
    }

    private static let furnishBesideFormer: Stage = { scene in
        let vault = try await scene.create()
        let (name, secret, kind) = CrashScene.wallets[1]
        try await vault.addWallet(named: WalletName(name), CrashScene.secret(secret, kind))
        await vault.close()
        try await scene.leave(.other)
        try await scene.leave(.first, as: CrashScene.secondSealedItem)
    }

    private static let importFormers: Stage = { scene in
        let party = Party(in: scene)
        try await party.unlock()
        _ = try? await party.vault().migrate(
            [scene.migration, scene.secondMigration],
            with: SecretBytes(text: CrashScene.firstPIN)
        )
        await party.close()
    }

    private static let furnishBesideStore: Stage = { scene in
        let vault = try await scene.create()
        let (name, secret, kind) = CrashScene.wallets[1]
        try await vault.addWallet(named: WalletName(name), CrashScene.secret(secret, kind))
        await vault.close()
        try await scene.leaveStore()
    }

    private static let importStore: Stage = { scene in
        let party = Party(in: scene)
        try await party.unlock()
        _ = try? await party.vault().migrate(all: scene.formerStore, FormerApp.prompt)
        await party.close()
    }

    /// The wallets are in, and these items are gone, without an event that says so.
    private static func erasingUntold(
        _ scene: CrashScene,
        _ items: [ItemName],
        after stage: Stage = importFormers
    ) async throws {
        try await refusingDeletions(scene, stage)
        for item in items { try await scene.device.delete(item) }
    }

    /// Does something while the device deletes no former copy, or not the given one.
    private static func refusingDeletions(
        _ scene: CrashScene,
        of item: ItemName? = nil,
        _ stage: Stage
    ) async throws {
        let items = item.map { [$0] } ?? [FormerApp.sealedItem, FormerApp.biometricItem, CrashScene.secondSealedItem]
        scene.device.interceptor = { call in
            if case .delete(let item) = call, items.contains(item) { throw DeviceRefusal.unavailable }
            return .proceed
        }
        try await stage(scene)
        scene.device.interceptor = nil
    }
}
