import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto

// wallet import and export: where secrets come in and go out.
extension Context {
    func importWallet(_ text: String, _ kind: WalletKind, from source: SecretSource) async throws {
        let name = try WalletName(text)
        // Before anything is asked for.
        let file = try source.readFile(.opaque)
        try await withVault { vault, _ in
            _ = try await openSession(vault, linesFollow: isBehindPIN(source))
            let secret: WalletSecret
            switch kind {
            case .mnemonic: secret = .mnemonic(try secrets.read(.mnemonic))
            case .privateKey: secret = .privateKey(try secrets.read(.privateKey))
            case .opaque: secret = .opaque(try file?.bytes.copy() ?? read(.opaque, from: source))
            }
            try await tell(added: vault.addWallet(named: name, secret))
        }
    }

    /// Reads a secret that is no file's.
    func read(_ question: Question, from source: SecretSource) throws(Failure) -> SecretBytes {
        source == .rest ? try secrets.readRest(question) : try secrets.read(question)
    }

    /// Whether the secret stands behind the line of the PIN.
    private func isBehindPIN(_ source: SecretSource) -> Bool {
        switch source {
        case .line: true
        case .file: false
        case .rest: options.secretDescriptor != nil
        }
    }

    func importWallets() async throws {
        try await withVault { vault, _ in
            _ = try await openSession(vault, linesFollow: true)
            let lines = BulkLines(secrets: secrets, output: output)
            let added: [WalletSummary]
            do {
                added = try await vault.addWallets { () throws(VaultError) in try lines.next() }
            } catch {
                output.showProgress(Words(""))
                throw lines.explain(error)
            }
            output.showProgress(Words(""))
            try output.print(
                Words("Imported: ", "Importés : ") + .wallets(added.count) + Words("."),
                json: ["imported": JSON(added.count)]
            )
        }
    }
}

/// The lines of a bulk import, read one by one while the vault seals them.
final class BulkLines: @unchecked Sendable {
    // Safe to send: one import at a time asks for lines, and looks at the rest after it has ended.
    private let secrets: SecretInput
    private let output: Output
    private var count = 0
    private var failure: Failure?

    init(secrets: SecretInput, output: Output) {
        self.secrets = secrets
        self.output = output
    }

    /// The next wallet; nil at the end.
    func next() throws(VaultError) -> WalletImport? {
        let line: SecretBytes
        do {
            guard let read = try secrets.readIfPresent(.bulkLine, keepingTypedAhead: true) else { return nil }
            line = read
        } catch {
            failure = error
            throw VaultError(error.code)
        }
        count += 1
        if count % 64 == 0 { output.showProgress(Words("\(count) read", "\(count) lus")) }
        return try line.withBytes { (bytes) throws(VaultError) in
            // A line without a tab has no name, and the whole of it may be a secret.
            let tab = Self.tab(in: bytes) ?? 0
            let name = unsafe bytes.withUnsafeBytes { buffer in
                unsafe String(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<tab]), as: UTF8.self)
            }
            let rest = unsafe bytes.withUnsafeBytes { buffer in
                unsafe SecretBytes(
                    copying: UnsafeRawBufferPointer(rebasing: buffer[min(tab + 1, buffer.count)...]).bytes
                )
            }
            return WalletImport(name: try WalletName(name), secret: .mnemonic(rest))
        }
    }

    /// Says at which line it went wrong.
    func explain(_ error: any Error) -> Failure {
        var failure = failure ?? Failure(error)
        let place = Words("line \(count)", "ligne \(count)")
        failure.detail = failure.detail.map { place + Words(", ") + $0 } ?? place
        return failure
    }

    private static func tab(in bytes: RawSpan) -> Int? {
        (0..<bytes.byteCount).first { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) == 0x09 }
    }
}
