import ThumbturnConsole
import ThumbturnCrypto

/// The server's half of logins, without network and store; the client's half is done in between, and not measured.
final class BareLogin {
    private let group = SRPGroup.standard
    private let name = Array("bench".utf8)
    private let salt = [UInt8](repeating: 7, count: 16)
    private let password: SecretBytes
    private let verifier: SecretBytes

    init() throws {
        let text = [UInt8](repeating: 0x61, count: 64)
        password = unsafe SecretBytes(copying: text.span.bytes)
        verifier = try SRPVerifier.make(group: group, account: name, password: password, salt: salt)
    }

    /// - Returns: the processor time of one login, in seconds.
    func run(count: Int) throws -> Double {
        var total = 0.0
        for _ in 0..<count { total += try login() }
        return total / Double(count)
    }

    /// - Returns: the processor time of one refused proof, whose A is above N, in seconds.
    func refuse(count: Int) throws -> Double {
        let clientValue = [UInt8](repeating: 0xFF, count: group.byteCount)
        var total = 0.0
        for _ in 0..<count {
            var begun: SRPServerHandshake? = try SRPServerHandshake(group: group, verifier: verifier)
            var error: SRPError?
            total += processorTime {
                guard let begun = begun.take() else { return }
                do throws(SRPError) {
                    _ = try begun.finish(account: name, salt: salt, clientValue: clientValue, proof: [])
                } catch let refusal {
                    error = refusal
                }
            }
            guard error == .outOfRange else { throw BenchError(what: "an A above N was not refused") }
        }
        return total / Double(count)
    }

    /// Starts a login whose b has all its 256 bits set, or only the highest.
    func begin(allBits: Bool) throws {
        let secret: [UInt8] = allBits ? Array(repeating: 0xFF, count: 32) : [0x80] + Array(repeating: 0, count: 31)
        _ = try unsafe SRPServerHandshake(
            group: group,
            verifier: verifier,
            drawn: SecretBytes(copying: secret.span.bytes),
            encoding: .minimal
        )
    }

    private func login() throws -> Double {
        let client = try SRPClientHandshake(group: group, account: name, password: password)
        let clientValue = client.publicValue
        var server: SRPServerHandshake?
        var time = try processorTime {
            try SRPServerHandshake.check(clientValue, group: group)
            server = try SRPServerHandshake(group: group, verifier: verifier)
        }
        guard let begun = server.take() else { throw BenchError(what: "no handshake") }
        let proof = try client.answer(salt: salt, serverValue: begun.publicValue).proof
        var open: SRPServerHandshake? = consume begun
        time += try processorTime {
            guard let begun = open.take() else { return }
            _ = try begun.finish(account: name, salt: salt, clientValue: clientValue, proof: proof)
        }
        return time
    }
}
