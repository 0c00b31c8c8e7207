import Testing
import Thumbturn
import ThumbturnAccount
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

extension OverSocketTests {
    /// Seed 002 under its own policy, at a real service: each cause that asks for the password or ends biometrics, what its user
    /// reads, and the way on.
    @Suite struct SeedRecoveryTests {
        private let service: TestService
        private static let needed = "Votre code ou mot de passe est requis."
        private static let strange = "Authentification biométrique échouée."
        private static let expired = "Session expirée. Mot de passe requis."
        private static let check = "Vérification de sécurité requise."
        private static let away = "Le service du compte est injoignable."

        init() throws { service = try TestService() }

        private func device(maxOfflineAge: Milliseconds? = .days(7)) async throws -> EnrolledDevice {
            let made = try await EnrolledDevice.make(at: service.origin, maxOfflineAge: maxOfflineAge)
            try await made.enableBiometrics()
            return made
        }

        @Test(.holds("F-107-02"))
        func `enabling takes a password that the service proved just now, tells its event, and forgets failures`()
            async throws
        {
            let made = try await EnrolledDevice.make(at: service.origin)
            await made.meets("ERR-107-010", "Mot de passe incorrect.") {
                try await made.enableBiometrics(Passwords.new)
            }
            service.stop()
            await made.meets("ERR-TT-501", Self.away) { try await made.enableBiometrics() }
            #expect(await made.biometrics == .disabled && made.log.count(.biometricEnabled) == 0)
            try service.start()
            try await made.enableBiometrics()
            #expect(await made.biometrics == .enabled && made.log.count(.biometricEnabled) == 1)
            for _ in 0..<2 { await made.meets("ERR-107-030", Self.strange) { try await made.touch(.mismatch) } }
            try await made.unlock()
            try await made.vault.disableBiometrics(nil)
            try await made.enableBiometrics()
            for _ in 0..<2 { await made.meets("ERR-107-030", Self.strange) { try await made.touch(.mismatch) } }
            try await made.touch()
        }

        @Test(.holds("F-107-04", "INV-107-04"))
        func `a finger opens without the service, tells how long it took, and forgets the failures before it`()
            async throws
        {
            let enrolled = try await device()
            let simulated = enrolled.simulated
            let slow = WatchedDevice(simulated) { call in
                if case .read = call { try? simulated.simulate(.advance(Milliseconds(640))) }
            }
            let made = try await enrolled.restarted(seenAs: slow.device)
            service.stop()
            for _ in 0..<2 {
                for _ in 0..<2 { await made.meets("ERR-107-030", Self.strange) { try await made.touch(.mismatch) } }
                try await made.touch()
            }
            let successes = made.log.events.filter { $0.kind == .biometricSuccess }
            #expect(successes.map(\.unlockDuration) == [Milliseconds(640), Milliseconds(640)])
        }

        @Test(.holds("F-107-05"))
        func `who asks for the password gets it, and a failure is what the service refused and nothing else`()
            async throws
        {
            let made = try await device()
            await made.meets("ERR-TT-101", Self.needed) { try await made.touch(.fallback) }
            await made.meets("ERR-107-031", "Authentification annulée.") { try await made.touch(.cancel) }
            let failed = "Impossible de vous authentifier."
            await made.meets("ERR-107-040", failed) { try await made.unlock(Passwords.new) }
            service.stop()
            await made.meets("ERR-TT-501", Self.away) { try await made.unlock() }
            #expect(made.log.count(.passwordFailure) == 1)
            try service.start()
            let before = made.log.count(.passwordFallback)
            try await made.unlock()
            #expect(made.log.count(.passwordFallback) == before + 1)
        }

        @Test(.holds("F-107-06", "INV-107-08", "F-107-05"))
        func
            `three strange fingers in a row leave the password alone, over restarts, until the service says that it is right`()
            async throws
        {
            var made = try await device()
            for number in 0..<3 {
                await made.meets("ERR-107-030", Self.strange) { try await made.touch(.mismatch) }
                if number == 1 { made = try await made.restarted() }
            }
            #expect(made.log.count(.biometricFailure) == 3)
            for _ in 0..<2 {
                await made.meets("ERR-TT-101", Self.needed) { try await made.touch() }
                #expect(await made.vault.snapshot.decision == .requireStrongFactor(.tooManyMismatches))
                await made.meets("ERR-107-040", "Impossible de vous authentifier.") {
                    try await made.unlock(Passwords.new)
                }
                made = try await made.restarted()
            }
            #expect(await made.biometrics == .enabled)
            try await made.unlock()
            try await made.touch()
        }

        @Test(.holds("F-107-08", "INV-107-09", "INV-107-01"))
        func `half an hour opens, a millisecond more asks for the password, once`() async throws {
            let made = try await device()
            try await made.touch()
            await made.vault.lock()
            try made.advance(.minutes(30))
            try await made.touch()
            await made.vault.lock()
            try made.advance(.minutes(30) + Milliseconds(1))
            for _ in 0..<2 { await made.meets("ERR-107-070", Self.expired) { try await made.touch() } }
            #expect(await made.vault.snapshot.decision == .requireStrongFactor(.idle))
            try await made.unlock()
            try await made.touch()
        }

        @Test(
            .holds("F-107-08", "INV-107-01"),
            arguments: [
                (SimulatedEvent.reboot, StrongFactorReason.rebooted), (.clock(.zero - .days(365)), .clockIncoherent),
                (.clock(.days(365)), .clockIncoherent),
            ]
        )
        func `another boot, and a clock that makes no sense, ask for the password and disable nothing`(
            event: SimulatedEvent,
            reason: StrongFactorReason
        ) async throws {
            var made = try await device()
            try made.simulated.simulate(event)
            service.stop()
            made = try await made.restarted()
            await made.meets("ERR-107-070", Self.expired) { try await made.touch() }
            #expect(await made.vault.snapshot.decision == .requireStrongFactor(reason))
            #expect(await made.biometrics == .enabled)
            await made.meets("ERR-TT-501", Self.away) { try await made.unlock() }
            try service.start()
            try await made.unlock()
            try await made.touch()
        }

        @Test(.holds("F-107-09"))
        func `a reinstalled app has no biometrics until they are enabled by hand`() async throws {
            var made = try await device()
            await made.vault.lock()
            try made.simulated.simulate(.reinstall)
            made = try await made.restarted()
            #expect(await made.biometrics == .revoked(.reinstalled))
            #expect(made.log.events.contains { $0.kind == .biometricDisabled && $0.reason != nil })
            await made.meets("ERR-TT-101", Self.needed) { try await made.touch() }
            try await made.unlock()
            #expect(await made.biometrics == .disabled)
            try await made.enableBiometrics()
            try await made.touch()
        }

        @Test(.holds("F-107-09", "INV-107-01"))
        func
            `a password that changed ends biometrics here, and elsewhere at the next contact, until they are enabled by hand`()
            async throws
        {
            let made = try await device()
            let other = try await EnrolledDevice.make(at: service.origin, registering: false)
            try await other.enableBiometrics()
            try await other.change()
            #expect(await other.biometrics == .disabled)
            await other.meets("ERR-TT-101", Self.needed) { try await other.touch() }

            try await made.touch()
            try await made.account.contact()
            #expect(await made.biometrics == .revoked(.passwordChanged))
            #expect(made.log.events.last { $0.kind == .biometricDisabled }?.reason != nil)
            await made.meets("ERR-107-080", Self.check) { try await made.touch() }
            await made.meets("ERR-107-040", "Impossible de vous authentifier.") { try await made.unlock() }
            await made.meets("ERR-107-080", Self.check) { try await made.touch() }
            try await made.unlock(Passwords.new)
            #expect(await made.biometrics == .disabled)
            try await made.enableBiometrics(Passwords.new)
            try await made.touch()
        }

        @Test(.holds("F-107-09", "A50"))
        func
            `seven days of silence are no reason, a millisecond more disables at the next look, and a word is in time before it`()
            async throws
        {
            for isHeard in [true, false] {
                let made = try await EnrolledDevice.make(at: service.origin, registering: isHeard)
                try await made.enableBiometrics()
                await made.vault.lock()
                service.stop()
                try made.advance(.days(7))
                _ = try await made.vault.refresh()
                #expect(await made.biometrics == .enabled)
                try made.advance(Milliseconds(1))
                if isHeard {
                    try service.start()
                    let again = try await made.restarted()
                    #expect(await again.biometrics == .enabled)
                    continue
                }
                let silent = try await made.restarted()
                #expect(await silent.biometrics == .revoked(.serverWordMissing))
                await silent.meets("ERR-107-080", Self.check) { try await silent.touch() }
                await silent.meets("ERR-TT-501", Self.away) { try await silent.unlock() }
                try service.start()
                // The word that comes too late brings nothing back.
                try await silent.account.contact()
                #expect(await silent.biometrics == .revoked(.serverWordMissing))
                await silent.meets("ERR-107-070", Self.expired) { try await silent.touch() }
                try await silent.unlock()
                #expect(await silent.biometrics == .disabled)
                try await silent.enableBiometrics()
                try await silent.touch()
            }
        }

        @Test(.holds("F-107-09", "A50")) func `up to the last millisecond of its silence a finger opens`() async throws
        {
            let made = try await device(maxOfflineAge: .minutes(50))
            service.stop()
            for _ in 0..<2 {
                await made.vault.lock()
                try made.advance(.minutes(25))
                try await made.touch()
            }
            await made.vault.lock()
            try made.advance(Milliseconds(1))
            await made.meets("ERR-107-080", Self.check) { try await made.touch() }
            #expect(await made.biometrics == .revoked(.serverWordMissing))
        }
    }
}
