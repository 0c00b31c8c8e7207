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

    /// Certifies a server for a time; the authority's own certificate may be one of another time.
    ///
    /// - Parameters:
    ///   - span: the first and the last second, `YYYYMMDDHHMMSSZ` each.
    ///   - authority: the same of the authority, which is made anew; nil where it stays.
    func certify(
        _ names: String,
        for span: (String, String),
        authority: (String, String)? = nil
    ) throws -> HTTPServer.Configuration.TLSFiles {
        try folder.write(
            Array(
                """
                [ca]
                default_ca = d
                [d]
                database = \(folder.file("index"))
                new_certs_dir = \(folder.path)
                serial = \(folder.file("serial"))
                default_md = sha256
                policy = p
                unique_subject = no
                copy_extensions = copy
                [p]
                commonName = supplied

                """.utf8
            ),
            to: "settings"
        )
        let script = """
            cd "$0" && : >index && echo 0123456789AB >serial || exit 1
            request() { openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "$@"; }
            sign() { openssl ca -batch -notext -config settings "$@"; }
            if [ -n "$4" ]; then
                request -subj /CN=authority -keyout authority.key -out a.csr -addext basicConstraints=critical,CA:TRUE &&
                    sign -selfsign -keyfile authority.key -in a.csr -out authority.pem -startdate "$4" -enddate "$5" || exit 1
            fi
            request -subj /CN=server -keyout key.pem -out s.csr -addext "subjectAltName=$1" &&
                sign -cert authority.pem -keyfile authority.key -in s.csr -out chain.pem -startdate "$2" -enddate "$3"
            """
        let made = try Command(
            "sh",
            "-c",
            script,
            folder.path,
            names,
            span.0,
            span.1,
            authority?.0 ?? "",
            authority?.1 ?? ""
        )
        try #require(made.status == 0, "\(made.text)")
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
