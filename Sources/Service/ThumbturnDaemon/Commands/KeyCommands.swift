import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnJSON
import ThumbturnService

// Commands about the keys that sign the ledger. Only public keys are ever printed.
extension Context {
    /// Makes the named keys, or the default one if none is named.
    func createKeys(_ signers: [SignerLocation], _ witness: WitnessLocation?, _ places: Places) throws(Failure) {
        var paths = try signers.map { signer throws(Failure) in try Self.path(signer) }
        if paths.isEmpty, witness == nil { paths = [try environment.newAuditKey(places)] }
        // Where one can't be made, none is.
        for path in paths + [witness?.path].compactMap(\.self) {
            guard try signing({ () throws(SignerError) in try SignerLocation.isAbsent(at: path) }) else {
                throw Failure(SignerError.unreadable(.key, .taken))
            }
        }
        var (lines, keys) = ([Words](), [JSON]())
        for path in paths {
            let publicKey = try signing { () throws(SignerError) in try SignerLocation.make(at: path) }
            let id = Self.id(publicKey)
            lines.append(Words("made the key \(id) in \(path)", "clé \(id) créée dans \(path)"))
            keys.append(Self.json(publicKey, path: path))
        }
        if let witness {
            let publicKey = try signing { () throws(SignerError) in try witness.make() }
            let text = Self.base64(publicKey)
            lines.append(
                Words(
                    "made the witness key in \(witness.path); its public half is \(text)",
                    "clé de témoin créée dans \(witness.path) ; sa partie publique est \(text)"
                )
            )
            keys.append(["algorithm": "ed25519", "path": .string(witness.path), "publicKey": .string(text)])
        }
        if !paths.isEmpty {
            lines.append(
                Words(
                    "keep a copy apart from the database's backups: a log ends with its key",
                    "gardez-en une copie à part des sauvegardes de la base : un journal s'arrête avec sa clé"
                )
            )
        }
        try output.print(lines.joined(separator: Words("\n")), json: ["keys": .array(keys)])
    }

    /// Prints the public half of each key, in PEM and nothing else.
    func showPublicKeys(_ signers: [SignerLocation], _ places: Places) throws(Failure) {
        let signers = signers.isEmpty ? [.file(try environment.auditKey(places))] : signers
        let keys = try signers.map { location throws(Failure) in
            try signing { () throws(SignerError) in try location.open().publicKey }
        }
        guard !output.isJSON else {
            return try output.print(Words(""), json: ["keys": .array(keys.map { Self.json($0, path: nil) })])
        }
        try output.write(keys.flatMap { PEM.text($0, labelled: "PUBLIC KEY") })
    }

    /// Returns the path of a key that can be made here.
    private static func path(_ signer: SignerLocation) throws(Failure) -> String {
        switch signer {
        case .file(let path): return path
        case .pkcs11:
            throw Failure(
                .usage,
                statement: Words(
                    "A key on a token is made by the token's own tool.",
                    "Une clé sur un jeton est créée par l'outil du jeton."
                ),
                hint: Words(
                    "such as `pkcs11-tool --login --keypairgen --key-type EC:prime256v1 --usage-sign --label LABEL`",
                    "comme `pkcs11-tool --login --keypairgen --key-type EC:prime256v1 --usage-sign --label LABEL`"
                )
            )
        }
    }

    private static func json(_ publicKey: [UInt8], path: String?) -> JSON {
        var members: [(String, JSON)] = [("algorithm", "ecdsa-p256-sha256"), ("id", .string(id(publicKey)))]
        if let path { members.append(("path", .string(path))) }
        return .object(members + [("publicKey", .string(base64(publicKey)))])
    }

    /// The name of a key: the first four bytes of the SHA-256 of its public half.
    private static func id(_ publicKey: [UInt8]) -> String {
        String(decoding: TextCode.hexadecimal.encode(Array(SHA256.digest(publicKey).prefix(4))), as: UTF8.self)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        String(decoding: TextCode.base64.encode(bytes), as: UTF8.self)
    }

    private func signing<Result>(_ call: () throws(SignerError) -> Result) throws(Failure) -> Result {
        do throws(SignerError) { return try call() } catch { throw Failure(error) }
    }
}
