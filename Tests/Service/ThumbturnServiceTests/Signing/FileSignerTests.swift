import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("A signer with its key in a file") struct FileSignerTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("keys/audit.pem") }
    private static let message = Array("head".utf8)

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> any LedgerSigner { try SignerLocation(parsing: "file:" + path).open() }

    /// Puts a key that another tool made in its place.
    private func put(_ text: [UInt8]) throws {
        try folder.write(text, to: "keys/audit.pem")
        try setMode(0o600, path)
    }

    private func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func `signs what its public half verifies, from one that was made here`() throws {
        let made = try SignerLocation.make(at: path)
        let signer = try open()
        #expect(signer.publicKey == made)
        let signature = try signer.sign(Self.message)
        try P256.verify(signature: signature, of: Self.message, publicKey: made)
        #expect(throws: CryptoError.authenticationFailed) {
            try P256.verify(signature: signature, of: Self.message + [0], publicKey: made)
        }
        for (path, mode) in [(path, 0o600), (folder.file("keys"), 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `is never made over anything`() throws {
        _ = try SignerLocation.make(at: path)
        let text = try folder.read("keys/audit.pem")
        #expect(throws: SignerError.unreadable(.key, .taken)) { try SignerLocation.make(at: path) }
        #expect(try SignerLocation.established(at: path) == (.file(path), false))
        #expect(try folder.read("keys/audit.pem") == text)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("keys")) == ["audit.pem"])
        try put([])
        #expect(try SignerLocation.established(at: path) == (.file(path), false))
        #expect(throws: SignerError.damaged) { try open() }
    }

    @Test func `is made once by processes that begin at the same time`() throws {
        for round in 1...10 {
            let path = folder.file("round\(round)/audit.pem")
            let children = try (1...4).map { _ in try TestChild([], of: "SignerChild") }
            for child in children { child.send(Array("make \(path)\n".utf8)) }
            #expect(children.compactMap { $0.readLine() }.sorted() == ["made", "there", "there", "there"])
            for child in children { #expect(child.finish().end == .exited(0)) }
            #expect(try SignerLocation(parsing: "file:" + path).open().publicKey.count == 91)
        }
    }

    @Test(.holds("SVC-37")) func `refuses a file that others could read or exchange`() throws {
        _ = try SignerLocation.make(at: path)
        func refused(_ error: SignerError, _ change: () throws -> Void, _ undo: () throws -> Void) throws {
            try change()
            #expect(throws: error) { try open() }
            try undo()
            _ = try open()
        }
        for mode in [0o640, 0o604, 0o620] {
            try refused(.unreadable(.key, .refused(.wrongMode))) {
                try setMode(mode, path)
            } _: {
                try setMode(0o600, path)
            }
        }
        try refused(.unreadable(.folder, .refused(.wrongMode))) {
            try setMode(0o750, folder.file("keys"))
        } _: {
            try setMode(0o700, folder.file("keys"))
        }
        try refused(.unreadable(.key, .refused(.hardLinked))) {
            try FileManager.default.linkItem(atPath: path, toPath: folder.file("second"))
        } _: {
            try FileManager.default.removeItem(atPath: folder.file("second"))
        }
        try refused(.unreadable(.key, .refused(.symbolicLink))) {
            try FileManager.default.moveItem(atPath: path, toPath: folder.file("moved"))
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.file("moved"))
        } _: {
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: folder.file("moved"), toPath: path)
        }
    }

    @Test func `is missing where no file or folder is`() throws {
        #expect(throws: SignerError.keyMissing) { try open() }
        #expect(try SignerLocation.isAbsent(at: path))
        _ = try SignerLocation.make(at: path)
        #expect(throws: SignerError.keyMissing) { try SignerLocation(parsing: "file:\(path)x").open() }
        #expect(throws: SignerError.unreadable(.folder, .absent)) {
            try SignerLocation.make(at: folder.file("no/such/audit.pem"))
        }
    }

    @Test func `takes a key that OpenSSL made, of the one kind`() throws {
        _ = try SignerLocation.make(at: path)
        func openssl(_ words: String...) throws {
            let key = folder.file("other.pem")
            #expect(try TestChild(words + ["-out", key], of: "/usr/bin/openssl").finish().end == .exited(0))
            try put(folder.read("other.pem"))
        }
        try openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
        let signer = try open()
        try P256.verify(signature: signer.sign(Self.message), of: Self.message, publicKey: signer.publicKey)
        #expect(throws: SignerError.wrongKind) { try WitnessLocation(parsing: "file:" + path).open() }

        try openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384")
        #expect(throws: SignerError.wrongKind) { try open() }
        try openssl("ecparam", "-name", "prime256v1", "-genkey")
        #expect(throws: SignerError.wrongKind) { try open() }
        try openssl("genpkey", "-algorithm", "ED25519")
        #expect(throws: SignerError.wrongKind) { try open() }
        #expect(try WitnessLocation(parsing: "file:" + path).open().publicKey.count == 32)
        try openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024")
        #expect(throws: SignerError.wrongKind) { try open() }
        try put([UInt8](repeating: 0x41, count: 8_193))
        #expect(throws: SignerError.damaged) { try open() }
    }

    @Test func `says nothing of a key in an error`() throws {
        _ = try SignerLocation.make(at: path)
        let lines = try String(decoding: folder.read("keys/audit.pem"), as: UTF8.self).split(separator: "\n")
        try put(Array(lines.dropLast(2).joined(separator: "\n").utf8))
        let error = try #require(throws: SignerError.self) { try open() }
        #expect(error == .damaged && !lines.contains { "\(error)".contains($0) })
    }

    @Test func `has a witness beside it, whose key is made once too`() throws {
        let location = try WitnessLocation(parsing: "file:" + path)
        let made = try location.make()
        #expect(throws: SignerError.unreadable(.key, .taken)) { try location.make() }
        let signer = try location.open()
        #expect(signer.publicKey == made && signer.sign(Self.message).count == 64)
        #expect(throws: SignerError.wrongKind) { try open() }
    }
}
