import Foundation
import Testing
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnTestKit

@Suite struct KeyCommandTests {
    private static func openssl(_ words: String...) throws -> ChildProcess {
        try ChildProcess.run("/usr/bin/openssl", words, environment: [])
    }

    @Test func `a key is made beside the service key, for this user alone, once, and only its public half is shown`()
        throws
    {
        let site = try Site()
        let made = try site.run("key", "create")
        #expect(made.exitCode == 0 && made.standardOutput.contains(site.auditKey))
        #expect(try site.mode(site.auditKey) == 0o600)
        #expect(try site.mode((site.auditKey as NSString).deletingLastPathComponent) == 0o700)
        let key = Folders.contents(of: site.auditKey)
        let again = try site.run("key", "create")
        #expect(again.exitCode == 1 && again.standardOutput.isEmpty && Folders.contents(of: site.auditKey) == key)

        let shown = try site.run("key", "public")
        #expect(shown.exitCode == 0 && shown.standardError.isEmpty)
        let told = try Self.openssl("pkey", "-in", site.auditKey, "-pubout")
        #expect(shown.standardOutput == told.standardOutput && told.exitCode == 0)
        let checked = try Self.openssl("pkey", "-in", site.auditKey, "-check", "-noout")
        #expect(checked.exitCode == 0 && checked.standardOutput == "Key is valid\n")
        let secret = String(decoding: key, as: UTF8.self).split(separator: "\n")[1]
        for run in [made, again, shown, try site.run("key", "public", "--json")] {
            #expect(!(run.standardOutput + run.standardError).contains(secret))
        }
    }

    @Test func `a script gets a key's name, kind and public half`() throws {
        let site = try Site()
        let made = try site.run("key", "create", "--json").standardOutput
        let shown = try site.run("key", "public", "--json").standardOutput
        #expect(shown.hasPrefix(#"{"keys":[{"algorithm":"ecdsa-p256-sha256","id":""#) && shown.hasSuffix("\"}]}\n"))
        #expect(made.replacing(#""path":"\#(site.auditKey)","#, with: "") == shown)
        let pem = Array(try site.run("key", "public").standardOutput.utf8)
        let publicKey = try #require(PEM.contents(labelled: "PUBLIC KEY", in: pem).first)
        let id = SHA256.digest(publicKey).prefix(4).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
        #expect(shown.contains(#""id":"\#(id)""#))
        #expect(shown.contains(#""publicKey":"\#(Data(publicKey).base64EncodedString())""#))
    }

    @Test func `two keys are shown in their order, and a witness key is made beside them`() throws {
        let site = try Site()
        let (new, former) = ("file:\(site.folder)/new/audit.pem", "file:\(site.folder)/former/audit.pem")
        let witness = "\(site.folder)/new/witness.pem"
        try site.run("key", "create", "--signer", new, "--signer", former, "--witness-key", "file:" + witness)
            .succeeding()
        let both = try site.run("key", "public", "--signer", new, "--signer", former).standardOutput
        let one = try site.run("key", "public", "--signer", new).standardOutput
        let other = try site.run("key", "public", "--signer", former).standardOutput
        #expect(one != other && both == one + other && one.hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
        let kind = try Self.openssl("pkey", "-in", witness, "-noout", "-text")
        #expect(kind.standardOutput.hasPrefix("ED25519 Private-Key:"))
        // What is there is not touched, and then nothing else is made.
        let third = "file:\(site.folder)/third/audit.pem"
        #expect(try site.run("key", "create", "--signer", third, "--witness-key", "file:" + witness).exitCode == 1)
        #expect(try site.run("key", "public", "--signer", third).exitCode == 3)
        #expect(try site.run("key", "public").exitCode == 3)
    }

    @Test func `a key that can't be used is told with what to do`() throws {
        let site = try Site()
        let absent = try site.run("key", "public")
        #expect(absent.exitCode == 3 && absent.standardError.contains("thumbturnd key create"))
        try site.run("key", "create").succeeding()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: site.auditKey)
        #expect(try site.run("key", "public").exitCode == 3)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: site.auditKey)
        try Data("no key".utf8).write(to: URL(fileURLWithPath: site.auditKey))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: site.auditKey)
        #expect(try site.run("key", "public").exitCode == 4)
        let token = "pkcs11:token=a;object=b?module-path=/none.so"
        #expect(try site.run("key", "public", "--signer", token).exitCode == 3)
        let made = try site.run("key", "create", "--signer", token)
        #expect(made.exitCode == 2 && made.standardError.contains("pkcs11-tool"))
    }

    @Test func `a key of another service lies beside that one's`() throws {
        let site = try Site()
        let service = "\(site.folder)/other/service.key"
        try site.run("key", "create", "--service-key", service).succeeding()
        #expect(try site.mode("\(site.folder)/other/audit.pem") == 0o600)
        try site.run("key", "public", "--service-key", service).succeeding()
        #expect(try site.run("key", "public").exitCode == 3)
    }
}
