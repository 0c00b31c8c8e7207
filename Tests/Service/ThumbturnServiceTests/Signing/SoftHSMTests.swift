import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnTestKit

@testable import ThumbturnService

/// A token of SoftHSM, in a process of its own: a module reads its settings once, from the environment.
@Suite("A token of SoftHSM", .needsSoftHSM, .timeLimit(.minutes(3))) struct SoftHSMTests {
    private let room: TokenRoom

    init() throws { room = try TokenRoom() }

    @Test(.holds("INV-107-10")) func `signs, and what it signed is verified`() throws {
        let child = try room.child()
        let key = child.ask("open " + room.uri())
        #expect(key.hasPrefix("3059301306072a8648ce3d0201") && key.utf8.count == 182)
        for _ in 1...10 { #expect(child.ask("sign 0") == "ok") }
        // Another signer of the same key, and one of another key.
        #expect(child.ask("open " + room.uri()) == key)
        try room.addKey("second", id: "02")
        #expect(child.ask("open " + room.uri(object: "second")) != key)
        #expect(child.ask("sign 1") == "ok" && child.ask("sign 2") == "ok" && child.ask("sign 0") == "ok")
        #expect(child.finish() == .exited(0))
    }

    @Test func `takes a key that OpenSSL made, and signs under its public half`() throws {
        let path = room.folder.file("keys/audit.pem")
        let publicKey = try SignerLocation.make(at: path)
        try room.run(
            "softhsm2-util",
            "--import",
            path,
            "--token",
            "audit",
            "--pin",
            "1234",
            "--label",
            "imported",
            "--id",
            "0a"
        )
        let child = try room.child()
        #expect(
            child.ask("open " + room.uri(object: "imported"))
                == String(decoding: TextCode.hexadecimal.encode(publicKey), as: UTF8.self)
        )
        #expect(child.ask("sign 0") == "ok")
        #expect(child.finish() == .exited(0))
    }

    @Test func `signs on two threads at once, goes while they do, and signs again when it is back`() throws {
        let child = try room.child()
        #expect(child.ask("start 2 " + room.uri()) == "started")
        child.wait { $0[0] > 500 }
        for withFolder in [false, true, false] {
            try room.remove(withFolder: withFolder)
            let before = child.counts()
            child.wait { $0[1] > before[1] + 20 }
            let during = child.counts()
            try room.putBack(withFolder: withFolder)
            child.wait { $0[0] > during[0] + 500 }
        }
        #expect(child.counts()[2] == 0)
        #expect(child.finish() == .exited(0))
    }

    @Test func `is gone while its files are away`() throws {
        let child = try room.child()
        let key = child.ask("open " + room.uri())
        try room.remove()
        for _ in 1...3 { #expect(child.ask("sign 0") == "error gone") }
        #expect(child.ask("open " + room.uri()) == "error tokenMissing")
        try room.putBack()
        #expect(child.ask("sign 0") == "ok")
        // The module can't start.
        try room.remove(withFolder: true)
        for _ in 1...3 { #expect(child.ask("sign 0") == "error gone") }
        #expect(child.ask("open " + room.uri()) == "error gone")
        try room.putBack(withFolder: true)
        #expect(child.ask("sign 0") == "ok")
        #expect(child.ask("open " + room.uri()) == key)
        #expect(child.finish() == .exited(0))
    }

    @Test func `is told apart from what is not there, or is of another kind`() throws {
        try room.addKey("other", id: "02", type: "EC:secp384r1")
        try room.addKey("rsa", id: "03", type: "RSA:1024")
        try room.addKey("key2", id: "04")
        try room.addKey("key2", id: "05")
        let child = try room.child()
        for (uri, error) in [
            (room.uri(token: "other"), "tokenMissing"), (room.uri(object: "none"), "keyMissing"),
            (room.uri(object: "other"), "wrongKind"), (room.uri(object: "rsa"), "wrongKind"),
            (room.uri(object: "key2"), "ambiguous"), (room.uri(module: "/none.so"), "moduleMissing"),
            (room.uri(module: room.configuration), "moduleMissing"),
            (room.uri(module: "/usr/lib/x86_64-linux-gnu/libm.so.6"), "moduleMissing"),
        ] {
            #expect(child.ask("open " + uri) == "error " + error)
        }
        #expect(child.ask("open " + room.uri()).hasPrefix("3059"))
        #expect(child.ask("open " + room.uri(object: "key2;id=%05")).hasPrefix("3059"))
        #expect(child.finish() == .exited(0))
    }

    @Test func `refuses a wrong PIN, and opens with the right one from a file for this user alone`() throws {
        let child = try room.child()
        try room.setPIN("4321")
        #expect(child.ask("open " + room.uri()) == "error pinRefused")
        // The token has this PIN now, and is not asked again before the file has another.
        try room.run(
            "pkcs11-tool",
            "--module",
            TokenRoom.module,
            "--token-label",
            "audit",
            "--login",
            "--pin",
            "1234",
            "--change-pin",
            "--new-pin",
            "4321"
        )
        #expect(child.ask("open " + room.uri()) == "error pinRefused")
        #expect(child.finish() == .exited(0))

        let next = try room.child()
        try room.setPIN("4321\n", mode: 0o640)
        #expect(next.ask("open " + room.uri()).hasPrefix("error unreadable"))
        try room.setPIN("4321\n")
        #expect(next.ask("open " + room.uri()).hasPrefix("3059"))
        #expect(next.finish() == .exited(0))
    }
}
