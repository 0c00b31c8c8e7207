import Foundation
import Testing
import Thumbturn
import ThumbturnConsole
import ThumbturnRules

@testable import ThumbturnCommand
@testable import ThumbturnLinux

@Suite("What doctor says of a TPM")
struct DoctorTests {
    private static let chip = TPMProperties(
        maker: 0x494E_5443,
        hasLockoutPassword: true,
        failureLimit: 32,
        recoverySeconds: 7_200,
        lockoutRecoverySeconds: 86_400
    )

    private func lines(
        of properties: TPMProperties,
        in language: String = "en_US.UTF-8"
    ) throws -> [String] {
        let machine = LinuxMachine(
            tpm: .answering(properties),
            lockout: TPMLockout(
                failures: 1,
                limit: properties.failureLimit,
                recoverySeconds: properties.recoverySeconds,
                isLockedOut: false
            ),
            fingers: BiometricCapability(
                biometryType: .none,
                reasonIfUnavailable: .noHardware,
                assurance: .hardwareBound
            ),
            hearsSession: true,
            naming: .system
        )
        var report = DoctorReport()
        report.add(machine)
        report.add(Context.Prospect(properties))
        let output = Output(
            of: Tool.name,
            environment: Environment(values: ["LANG": language]),
            isJSON: false,
            hints: Advice.none.hints
        )
        return report.text(on: output).split(separator: "\n").map(String.init)
    }

    private func text(of properties: TPMProperties) throws -> String {
        try lines(of: properties).joined(separator: "\n")
    }

    private func chip(_ change: (inout TPMProperties) -> Void) -> TPMProperties {
        var properties = Self.chip
        change(&properties)
        return properties
    }

    private static let setPassword = "sudo tpm2_changeauth -c lockout file:FILE"
    private static let setLimits = "sudo tpm2_dictionarylockout -s -n 32 -t 7200 -l 86400 -p file:FILE"

    @Test(.holds("A56")) func `a chip that counts for itself needs nothing`() throws {
        let text = try text(of: Self.chip)
        #expect(text.contains("● it answers") && text.contains("it counts wrong tries"))
        #expect(text.contains("1 of 32; one is forgotten after 2 h"))
        #expect(text.contains("● would be made on: TPM 2.0"))
        #expect(!text.contains("tpm2_"))
    }

    @Test(.holds("A56"))
    func `without a lockout password doctor says what that costs, the exact command, and what a lost one costs`()
        throws
    {
        let text = try text(of: chip { $0.hasLockoutPassword = false })
        #expect(text.contains("▲ it answers") && text.contains("▲ would be made on: TPM 2.0"))
        #expect(text.contains("anyone can reset its count of wrong tries"))
        #expect(text.contains(Self.setPassword) && !text.contains(Self.setLimits))
        #expect(text.contains("keep a copy elsewhere") && text.contains("that destroys all its keys"))
        #expect(!text.contains("it counts wrong tries"))
    }

    @Test(.holds("A56"))
    func `limits that count too little are told, each with the command that sets them, the password first`()
        throws
    {
        for (change, words) in [
            ({ $0.failureLimit = 0 }, "it allows no try, or more than 64 wrong ones"),
            ({ $0.recoverySeconds = 0 }, "it counts no wrong tries, or forgets one within 10 minutes"),
            ({ $0.lockoutRecoverySeconds = 1 }, "can be tried more than once an hour"),
        ] as [((inout TPMProperties) -> Void, String)] {
            let text = try text(of: chip(change))
            #expect(
                text.contains(words) && text.contains(Self.setLimits) && !text.contains(Self.setPassword),
                "\(text)"
            )
        }
        let both = try text(
            of: chip {
                $0.hasLockoutPassword = false
                $0.recoverySeconds = 0
                $0.lockoutRecoverySeconds = 1
            }
        )
        let (first, second) = (both.range(of: Self.setPassword), both.range(of: Self.setLimits))
        #expect(try #require(first).upperBound < #require(second).lowerBound)
        #expect(both.split(separator: Self.setLimits).count == 2, "it is said once")
    }

    @Test(.holds("A56")) func `a recovery time of 0 reads as no counting, not as never forgotten`() throws {
        #expect(try text(of: chip { $0.recoverySeconds = 0 }).contains("1 of 32; none is counted"))
    }

    @Test(.holds("A9")) func `of a program only that is said, for no password mends it`() throws {
        let text = try text(
            of: chip {
                $0.maker = 0x4942_4D00
                $0.hasLockoutPassword = false
            }
        )
        #expect(text.contains("○ it answers") && text.contains("it may be a program"))
        #expect(!text.contains("tpm2_") && !text.contains("lockout password"))
    }

    @Test(arguments: ["en_US.UTF-8", "fr_FR.UTF-8"])
    func `no line of doctor or status is wider than its column`(language: String) throws {
        let worst = chip {
            $0.hasLockoutPassword = false
            $0.failureLimit = 0
            $0.recoverySeconds = 0
            $0.lockoutRecoverySeconds = 1
        }
        for line in try lines(of: worst, in: language) { #expect(line.count <= 92, "\(line)") }
        for doubt in TPMProperties.Doubt.allCases {
            for line in [DeviceChoice.tpm.text(withWorth: [doubt])] + [doubt].remedies {
                for text in [line.english, line.french] { #expect(text.count <= 74, "\(text)") }
            }
        }
    }
}
