import Foundation
import Testing
import ThumbturnTestKit

extension Trait where Self == ConditionTrait {
    /// The test needs SoftHSM, which `make test-service` installs.
    static var needsSoftHSM: Self { .enabled(if: TokenRoom.isThere, "run `make test-service`") }
}

/// A token of SoftHSM in a folder, for one test.
final class TokenRoom: Sendable {
    static let module = "/usr/lib/softhsm/libsofthsm2.so"
    static let isThere = [module, "/usr/bin/softhsm2-util", "/usr/bin/pkcs11-tool"].allSatisfy { path in
        FileManager.default.fileExists(atPath: path)
    }
    private static let pin = "1234"

    let folder: TemporaryFolder
    var configuration: String { folder.file("softhsm2.conf") }

    /// Makes a token with the label `audit`, and a key `key` on it.
    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("tokens"), withIntermediateDirectories: false)
        let settings =
            "directories.tokendir = \(folder.file("tokens"))\nobjectstore.backend = file\nlog.level = ERROR\n"
        try folder.write(Array(settings.utf8), to: "softhsm2.conf")
        try setPIN(Self.pin)
        try run("softhsm2-util", "--init-token", "--free", "--label", "audit", "--pin", Self.pin, "--so-pin", "5678")
        try addKey("key", id: "01")
    }

    func setPIN(_ pin: String, mode: Int = 0o600) throws {
        try folder.write(Array(pin.utf8), to: "pin")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file("pin"))
    }

    /// Makes a key pair on the token, as an operator does.
    func addKey(_ label: String, id: String, type: String = "EC:prime256v1") throws {
        let options = ["--module", Self.module, "--token-label", "audit", "--login", "--pin", Self.pin]
        try run(["pkcs11-tool"] + options + ["--keypairgen", "--key-type", type, "--label", label, "--id", id])
    }

    /// Takes the token away: it alone, or the folder of all of them, without which the module does not even start.
    func remove(withFolder: Bool = false) throws { try move("tokens", to: "away", withFolder) }

    /// Puts back what `remove` took.
    func putBack(withFolder: Bool = false) throws {
        try move("away", to: "tokens", withFolder)
        if !withFolder { try FileManager.default.removeItem(atPath: folder.file("away")) }
    }

    private func move(_ from: String, to: String, _ isFolder: Bool) throws {
        let (files, from, to) = (FileManager.default, folder.file(from), folder.file(to))
        guard !isFolder else { return try files.moveItem(atPath: from, toPath: to) }
        try files.createDirectory(atPath: to, withIntermediateDirectories: true)
        for name in try files.contentsOfDirectory(atPath: from) {
            try files.moveItem(atPath: from + "/" + name, toPath: to + "/" + name)
        }
    }

    func uri(token: String = "audit", object: String = "key", module: String = TokenRoom.module) -> String {
        "pkcs11:token=\(token);object=\(object)?module-path=\(module)&pin-source=\(folder.file("pin"))"
    }

    func child() throws -> SignerProcess { try SignerProcess(configuration) }

    /// Runs a program with this token.
    func run(_ words: String...) throws { try run(words) }

    private func run(_ words: [String]) throws {
        let settings = "SOFTHSM2_CONF=" + configuration
        let (lines, end) = try TestChild([settings] + words, of: "/usr/bin/env").finish()
        try #require(end == .exited(0), "\(words): \(lines)")
    }
}

/// A `SignerChild`, asked line by line.
final class SignerProcess {
    private let child: TestChild

    init(_ configuration: String) throws { child = try TestChild([configuration], of: "SignerChild") }

    func ask(_ line: String) -> String {
        child.send(Array((line + "\n").utf8))
        return child.readLine() ?? "ended"
    }

    /// How often its threads signed, met a token that was gone, and failed otherwise.
    func counts() -> [Int] { ask("counts").split(separator: " ").compactMap { Int($0) } }

    /// Asks for the counts until they are as wanted.
    func wait(_ isEnough: ([Int]) -> Bool) {
        while case let counts = counts(), counts.count == 3, !isEnough(counts) { usleep(2_000) }
    }

    func finish() -> TestChild.End { child.finish().end }
}
