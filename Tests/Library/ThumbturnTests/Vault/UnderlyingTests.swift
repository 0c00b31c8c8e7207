import Foundation
import Testing
import ThumbturnBase
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// What the error of a vault call says of the system below.
@Suite struct UnderlyingTests {
    @Test(
        arguments: [
            (.system(28), 28), (.system(13), 13), (.absent, 2), (.taken, 17), (.refused(.symbolicLink), 40),
            (.refused(.wrongMode), nil), (.tooLarge, nil), (.cutShort, nil), (.busy, nil),
        ] as [(FileError, Int64?)]
    )
    func `a file's error carries its errno, and our own findings carry none`(error: FileError, number: Int64?) {
        let underlying = VaultError("file", error).underlying
        #expect(underlying?.number == number)
        #expect(underlying == nil || underlying?.domain == .errno)
    }

    @Test(
        arguments: [
            (.ioError(extended: 3_850), 3_850), (.full, 13), (.busy, 5), (.corrupt, 11), (.other(21), 21),
            (.schemaMismatch, nil), (.newerFormat(9), nil), (.unsafeFile(.wrongMode), nil),
        ] as [(SQLiteError, Int64?)]
    )
    func `a database's error carries SQLite's code`(error: SQLiteError, number: Int64?) {
        let underlying = VaultError(error).underlying
        #expect(underlying?.number == number)
        #expect(underlying == nil || underlying?.domain == .sqlite)
    }

    @Test(
        .holds("B-03", "C7"),
        arguments: [
            (.cancel, .cancelledByUser(afterMismatch: false), .promptCancelled),
            (.mismatch, .notRecognised, .biometricsNotRecognised),
            (.fallback, .fallbackChosen, .strongFactorRequired),
        ] as [(SimulatedTouch, DeviceRefusal.Meaning, ErrorCode)]
    )
    func `an unlock that a prompt ended says how it ended`(
        touch: SimulatedTouch,
        kind: DeviceRefusal.Meaning,
        code: ErrorCode
    ) async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        let error = try #require(await failure { try await made.touch(touch) })
        #expect(error.refusal == kind && error.code == code)
    }

    @Test(.holds("C7")) func `a cancel by the system, and a lockout, are not the user's cancel and no mismatch`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        // Nobody touches the sensor, so the system dismisses the prompt.
        let cancelled = await failure { try await made.vault.unlockWithBiometrics(TestVault.words) }
        #expect(cancelled?.code == .promptCancelled && cancelled?.refusal == .cancelledBySystem)
        let lockedOut = VaultError(DeviceRefusal.lockedOut, at: .readCredentials)
        #expect(lockedOut.refusal == .lockedOut && lockedOut.code != VaultError(.biometricsNotRecognised).code)
    }

    @Test func `what no device refused carries no refusal`() async throws {
        let made = try await TestVault.make()
        await made.vault.lock()
        let error = try #require(await failure { try await made.guess() })
        #expect(error.refusal == nil && error.underlying == nil)
    }

    @Test func `a code of the system below can't be given a text`() throws {
        let path = Compiler.sources + "/Library/ThumbturnRules/Errors/UnderlyingCode.swift"
        let source = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
        #expect(try Compiler.errors(in: source).isEmpty)
        let member = "    public let number: Int64\n"
        let planted = source.replacingOccurrences(of: member, with: member + "    public let text = \"\"\n")
        #expect(planted != source)
        let errors = try Compiler.errors(in: planted)
        #expect(errors.contains { $0.message.contains("BitwiseCopyable") }, "\(errors)")
    }

    private func failure(_ body: () async throws -> some Any) async -> VaultError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? VaultError
        }
    }
}
