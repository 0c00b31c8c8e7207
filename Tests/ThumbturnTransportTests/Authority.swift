import Testing
import ThumbturnHTTP
import ThumbturnTestKit

/// An authority of our own, and what it certifies.
struct Authority {
    private let folder: TemporaryFolder
    /// Its certificate's file.
    var file: String { folder.file("authority.pem") }
    /// The certificate that it gave out last, and that one's key.
    var chain: String { folder.file("chain.pem") }
    var key: String { folder.file("key.pem") }

    init() throws {
        folder = try TemporaryFolder()
        try openssl("-subj", "/CN=authority", "-keyout", folder.file("authority.key"), "-out", file)
    }

    /// Certifies a server that has these names.
    func certify(_ names: String) throws -> HTTPServer.Configuration.TLSFiles {
        try openssl(
            "-CA",
            file,
            "-CAkey",
            folder.file("authority.key"),
            "-subj",
            "/CN=server",
            "-addext",
            "subjectAltName=\(names)",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-keyout",
            key,
            "-out",
            chain
        )
        return .init(chain: chain, key: key)
    }

    /// The certificate that was made last, PEM.
    func certificate() throws -> [UInt8] { try folder.read("chain.pem") }

    /// The pin of that certificate's key, as OpenSSL's own commands make it.
    func pin() throws -> String {
        let script = """
            openssl x509 -in "$0" -noout -pubkey | openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | base64
            """
        return try Command("sh", "-c", script, chain).text.filter { !$0.isNewline }
    }

    private func openssl(_ options: String...) throws {
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
        let made = try Command(["openssl", "req", "-x509"] + key + options)
        try #require(made.status == 0, "\(made.text)")
    }
}
