import Foundation
import StandIn
import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnApple

@Suite("What an app's project may lack", .serialized)
struct SetupTests {
    private func failure(_ configuration: AppleConfiguration) async -> AppleSetupFailure? {
        do throws(AppleSetupFailure) {
            _ = try await Device.apple(configuration)
            return nil
        } catch {
            return error
        }
    }

    private func configuration(_ setup: PhoneSetup, folder: String) -> AppleConfiguration {
        Phone.start(setup)
        var configuration = AppleConfiguration(accessGroup: App.group, folder: folder)
        configuration.faceIDUsage = setup.faceIDUsage
        return configuration
    }

    @Test("an entitlement, a reason for Face ID, a folder: each has its own failure, and says what to add")
    func failures() async throws {
        let folder = try TemporaryFolder()
        let unsigned = configuration(PhoneSetup(accessGroups: []), folder: folder.path)
        #expect(await failure(unsigned) == .missingEntitlement)
        let other = configuration(PhoneSetup(accessGroups: ["TEAM.other"]), folder: folder.path)
        #expect(await failure(other) == .missingEntitlement)
        for reason in [nil, ""] {
            let mute = configuration(PhoneSetup(faceIDUsage: reason), folder: folder.path)
            #expect(await failure(mute) == .missingFaceIDUsage)
            #expect(Phone.current.kills.isEmpty && Phone.current.prompts.isEmpty)
        }
        try folder.write([], to: "file")
        #expect(await failure(configuration(PhoneSetup(), folder: folder.file("file/below"))) == .folderUnusable)

        #expect(AppleSetupFailure.missingEntitlement.description.contains("Keychain Sharing"))
        #expect(AppleSetupFailure.missingFaceIDUsage.description.contains("NSFaceIDUsageDescription"))
        #expect(AppleSetupFailure.folderUnusable.description.contains("container"))
    }

    @Test("Touch ID needs no reason, and a phone that was never unlocked is no mistake of the project")
    func successes() async throws {
        let folder = try TemporaryFolder()
        #expect(
            await failure(configuration(PhoneSetup(sensor: .touchID, faceIDUsage: nil), folder: folder.path)) == nil
        )
        let early = configuration(PhoneSetup(), folder: folder.file("new/folder"))
        Phone.current.reboot()
        Phone.current.prewarm()
        #expect(await failure(early) == nil)
        #expect(Phone.current.prompts.isEmpty && Phone.current.rows.isEmpty)
    }

    @Test("the best carrier is the enclave, then the keychain", .holds("B-06", "C14"))
    func carriers() {
        Phone.start()
        #expect(Carrier.best == .enclave && Carrier.best.assurance == .hardwareBound)
        Phone.start(PhoneSetup(hasEnclave: false))
        #expect(Carrier.best == .keychain && Carrier.best.assurance == .osKeychain)
        #expect(Carrier.simulated.assurance == .simulated)
    }

    @Test func `an app that names no folder gets one of its own in Application Support`() {
        #expect(AppleConfiguration(accessGroup: App.group).folder.hasSuffix("/Thumbturn/TEAM.app"))
        #expect(AppleConfiguration(accessGroup: App.group).faceIDUsage == nil)
    }
}
