#if os(Linux)
import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

/// Libraries are loaded when they are needed; a machine may lack one.
struct MissingLibraryTests {
    /// A machine on which a library can't be loaded: the loader finds a file of its name, which is none, before the real one.
    private func without(_ library: String, in box: Box) throws -> [String: String] {
        let folder = box.folder + "/libraries"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: folder + "/" + library))
        let path = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { folder + ":" + $0 } ?? folder
        return ["LD_LIBRARY_PATH": path]
    }

    /// A machine with a TPM and no tpm2-tss.
    private func withoutSoftwareOfTPM(in box: Box, _ locale: String = "en_US.UTF-8") throws -> [String: String] {
        try without("libtss2-tctildr.so.0", in: box).merging([
            "THUMBTURN_TEST_TPM": "device:/dev/null", "THUMBTURN_TEST_BUS": "unix:path=/dev/no-such-bus",
            "LANG": locale,
        ]) { $1 }
    }

    @Test(arguments: [("en_US.UTF-8", "tpm2-tss is not installed"), ("fr_FR.UTF-8", "tpm2-tss n'est pas installé")])
    func `doctor says that tpm2-tss is missing where there is a TPM, and what to install`(
        locale: String,
        words: String
    ) throws {
        let box = try Box()
        let environment = box.environment(try withoutSoftwareOfTPM(in: box, locale))
        let report = try ChildProcess.run(Box.tool, ["doctor"], environment: environment).standardOutput
        #expect(report.contains(words) && report.contains("apt install libtss2-"))
    }

    @Test(.holds("A25")) func `nothing leaves a TPM for gone where only tpm2-tss is missing`() throws {
        let (box, tests) = (try Box(), DeviceCommandTests())
        try tests.run(box, ["init", "--device", "files"], [DeviceCommandTests.password]).succeeding()
        let devices = box.folder + "/state/thumbturn/"
        try FileManager.default.moveItem(atPath: devices + "files", toPath: devices + "tpm")
        let isStored = { (file: (key: String, value: [UInt8])) in
            file.key.contains("/items/") || file.key.hasSuffix(".sqlite")
        }
        let before = box.contents().filter(isStored)
        let words = ["unlock", "--recovery", "--device", "files"]
        let refused = try tests.run(box, words, ["no key"], try withoutSoftwareOfTPM(in: box))
        #expect(refused.exitCode == 3 && refused.standardError.contains("no tpm2-tss"), "\(refused)")
        #expect(!before.isEmpty && box.contents().filter(isStored) == before)
    }

    @Test func `without libsystemd there is no bus, and no finger`() throws {
        let box = try Box()
        let variables = try without("libsystemd.so.0", in: box).merging([
            "THUMBTURN_TEST_TPM": "device:/dev/no-such-tpm", "THUMBTURN_TEST_BUS": "unix:path=/dev/null",
        ]) { $1 }
        let report = try ChildProcess.run(Box.tool, ["doctor", "--json"], environment: box.environment(variables))
        let members = try #require(
            JSONSerialization.jsonObject(with: Data(report.standardOutput.utf8)) as? [String: Any]
        )
        #expect((members["fingerprint"] as? [String: Any])?["available"] as? Bool == false)
        #expect((members["session"] as? [String: Any])?["isHeard"] as? Bool == false)
    }

    @Test(arguments: [("en_US.UTF-8", "install libcurl: "), ("fr_FR.UTF-8", "installez libcurl : ")])
    func `without libcurl no service is reached, and the command says what to install`(
        locale: String,
        words: String
    ) throws {
        let box = try Box()
        let variables = try without("libcurl.so.4", in: box).merging(["LANG": locale]) { $1 }
        let refused = try box.run(
            ["account", "register", "ann@example.org", "--service", "http://127.0.0.1:9"],
            ["correct horse battery"],
            variables
        )
        #expect(refused.exitCode == 3, "\(refused)")
        #expect(refused.standardError.contains("ERR-TT-501"))
        #expect(refused.standardError.contains(words) && refused.standardError.contains("apt install libcurl4"))
    }
}
#endif
