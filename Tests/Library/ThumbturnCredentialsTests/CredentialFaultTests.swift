import CrashExplorer
import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnCredentials

/// Every transition of the credential vault, failing at every operation of disk and device, and survived.
///
/// Where the process dies, or two things go wrong, is the crash explorer's.
@Suite struct CredentialFaultTests {
    /// A transition, with the state that it starts from.
    enum Transition: CaseIterable {
        case enablePlain, enableSecured, upgrade, downgrade, disable, unlock, resetPlain, resetLocked

        var start: CredentialVaultMachine.State {
            switch self {
            case .enablePlain, .enableSecured: .ready
            case .upgrade, .resetPlain: .keychainSecured
            case .downgrade, .disable, .unlock, .resetLocked: .locked
            }
        }

        var request: CredentialVaultMachine.Request {
            switch self {
            case .enablePlain: .enableKeychainVault
            case .enableSecured: .enableSecureVaultWithBiometrics
            case .upgrade: .upgradeKeychainWithBiometrics
            case .downgrade: .downgradeBiometricsToKeychain
            case .disable: .disableBiometricsSecureVault
            case .unlock: .unlockWithBiometrics
            case .resetPlain, .resetLocked: .reset
            }
        }

        /// Whether the credentials are unlocked first.
        var startsUnlocked: Bool { self == .downgrade || self == .disable }
    }

    /// How an operation goes wrong.
    enum Mode: CaseIterable {
        case fail, failAfterEffect, full

        func stop(at number: Int) -> FaultyDisk.Stop {
            switch self {
            case .fail: .fail(at: number)
            case .failAfterEffect: .failAfterEffect(at: number)
            case .full: .full(from: number)
            }
        }
    }

    /// What a new start finds: what is stored, what it says, and what the store holds.
    struct Portrait: Hashable {
        let protection: CredentialProtection?
        let credentials: Tokens?
        let items: [AccessControl]
    }

    private let folder: TemporaryFolder
    private var path: String { folder.path + "/scene/credentials" }

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
    }

    @Test(.holds("V-05", "A19", "A22", "A25"), arguments: Transition.allCases)
    func `a failure that is told leaves the former credentials, any other the new ones`(
        transition: Transition
    ) async throws {
        let device = SimulatedDevice()
        try FolderImage(of: folder.path).restore(to: folder.path + "/scene")
        try await prepare(transition, device)
        let files = try FolderImage(of: folder.path + "/scene")
        let old = try await portrait(device.clone())

        let disk = FaultyDisk()
        try files.restore(to: folder.path + "/scene")
        let whole = device.clone()
        #expect(try await run(transition, whole, disk, .kill(at: .max)) == nil)
        let operations = disk.operationCount
        disk.settle()
        let new = try await portrait(whole)
        #expect(transition == .unlock || old != new)

        var situations = 0
        var arrived = 0
        for mode in Mode.allCases {
            for number in 1...operations {
                try files.restore(to: folder.path + "/scene")
                let clone = device.clone()
                let code = try await run(transition, clone, disk, mode.stop(at: number))
                disk.settle()
                let found = try await portrait(clone)
                situations += 1
                if found == new { arrived += 1 }
                let place = "\(transition) \(mode) at \(number): \(code?.text ?? "done")"
                #expect(found == (code == nil ? new : old), "\(place): \(found)")
            }
        }
        print("credentials: \(transition) \(operations) operations, \(situations) situations, \(arrived) arrived")
        #expect(operations >= (transition == .unlock ? 3 : 12))
    }

    private func prepare(_ transition: Transition, _ device: SimulatedDevice) async throws {
        let vault = try await TestCredentials.open(in: path, device.device)
        switch transition.start {
        case .keychainSecured: try await vault.enableKeychainVault(saving: .sample)
        case .locked:
            try device.simulate(.finger(.match))
            try await vault.enableSecureVaultWithBiometrics(saving: .sample, TestCredentials.words)
        case .ready, .unavailable, .biometricsSecured: break
        }
        await vault.close()
    }

    /// Runs the transition, cut off by `stop`, which counts the operations of disk and device from its beginning on.
    private func run(
        _ transition: Transition,
        _ device: SimulatedDevice,
        _ disk: FaultyDisk,
        _ stop: FaultyDisk.Stop
    ) async throws -> ErrorCode? {
        let vault = try await CredentialVault<Tokens>.open(
            named: CredentialName("tokens"),
            in: path,
            device: device.device,
            coding: .json,
            vfs: disk.vfsName
        )
        try device.simulate(.finger(.match))
        if transition.startsUnlocked { _ = try await vault.unlockWithBiometrics(TestCredentials.words) }
        device.interceptor = { [disk] call throws(DeviceRefusal) in
            switch disk.countForeignOperation("\(call)") {
            case .proceed: return .proceed
            case .failAfterEffect: return .failAfterEffect(.unavailable)
            case .fail, .dead: throw .unavailable
            }
        }
        disk.arm(stop)
        let code = await refusal {
            try await vault.ask(
                for: transition.request,
                saving: Tokens(access: "new", refresh: "newer"),
                TestCredentials.words
            )
        }
        device.interceptor = nil
        if let code { #expect(Self.honest.contains(code), "\(transition): \(code.text)") }
        return code
    }

    private static let honest: [ErrorCode] = [
        .storageUnavailable, .diskFull, .credentialsNotStored, .credentialsNotRead, .credentialsUnavailable,
        .credentialsMissing,
    ]

    /// What the next start finds, with a finger on the sensor.
    private func portrait(_ device: SimulatedDevice) async throws -> Portrait {
        let vault = try await TestCredentials.open(in: path, device.device)
        let snapshot = await vault.snapshot
        var credentials: Tokens?
        switch snapshot.state {
        case .locked:
            // A finger may still wait from the transition that did not come to ask for it.
            try device.simulate(.finger(.match))
            credentials = try await vault.unlockWithBiometrics(TestCredentials.words)
        case .keychainSecured: credentials = try await vault.credentials()
        case .ready, .unavailable, .biometricsSecured: break
        }
        await vault.close()
        var items: [AccessControl] = []
        for name in try device.itemNames() {
            let item = try #require(ItemName(text: name))
            items.append(try #require(try await device.describe(item)).access)
        }
        return Portrait(protection: snapshot.protection, credentials: credentials, items: items)
    }
}
