import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules

// wallet import and export.
extension Context {
    func importWallet(_ text: String, _ kind: WalletKind, from source: SecretSource) async throws {
        let name = try WalletName(text)
        // Read the file before asking for anything.
        let file = try source.readFile(.opaque)
        try await withVault(readsWallets: false) { vault, _ in
            _ = try await ready(vault)
            // Read a mnemonic that is not typed first: an invalid one costs no PIN attempt.
            let given = kind == .mnemonic && !secrets.isTyped ? HeldSecret(try secrets.readMnemonic()) : nil
            var pin: HeldSecret?
            try await openToChange(vault, linesFollow: isBehindPIN(source), keeping: &pin)
            // Check name and PIN before the owner types 24 words, and keep no key in memory meanwhile.
            if secrets.isTyped {
                guard try await vault.wallet(named: name) == nil else { throw Failure(.nameTaken) }
                await vault.lock()
            }
            let secret: HeldSecret
            switch kind {
            case .mnemonic: secret = try given ?? HeldSecret(secrets.readMnemonic())
            case .privateKey: secret = HeldSecret(try read(.privateKey, from: .line))
            case .opaque: secret = try file ?? HeldSecret(read(.opaque, from: source))
            }
            if secrets.isTyped { try await reopen(vault, with: pin) }
            try tell(added: await vault.addWallet(named: name, kind.secret(secret)))
            if secrets.isTyped { output.note(await Self.next(for: vault)) }
        }
    }

    /// Reopens a vault that was locked while its owner typed, with the PIN that opened it or with another prompt.
    private func reopen(_ vault: Vault, with pin: HeldSecret?) async throws {
        if let pin { _ = try await open(vault, with: pin) } else { _ = try await openSession(vault) }
    }

    /// Reads a secret that is not in a file.
    func read(_ question: Question, from source: SecretSource) throws(Failure) -> SecretBytes {
        if source == .rest { return try secrets.readRest(question) }
        guard let secret = try secrets.readOwnIfPresent(question) else { throw Failure(.inputClosed) }
        return secret
    }

    /// Whether the secret follows the PIN's line.
    private func isBehindPIN(_ source: SecretSource) -> Bool {
        switch source {
        case .line, .rest: options.secretDescriptor != nil
        case .file: false
        }
    }

    func importWallets() async throws {
        try await withVault(readsWallets: false) { vault, _ in
            try await openToChange(vault, linesFollow: options.secretDescriptor != nil)
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
    // Safe to send: one import at a time asks for lines, and the rest is read after it has ended.
    private let lines: SecretLines
    private let output: Output
    private var count = 0
    private var failure: Failure?

    init(secrets: SecretInput, output: Output) {
        lines = SecretLines(of: secrets, .bulkLine)
        self.output = output
    }

    /// Returns the next wallet; `nil` at the end.
    func next() throws(VaultError) -> WalletImport? {
        do {
            guard try lines.next() else { return nil }
        } catch {
            failure = error
            throw VaultError(error.code)
        }
        count += 1
        if count % 64 == 0 { output.showProgress(Words("\(count) read", "\(count) lus")) }
        return try lines.withLine { (bytes) throws(VaultError) in
            // A line without a tab has no name, and all of it may be secret.
            let tab = Self.tab(in: bytes) ?? 0
            let name = unsafe bytes.withUnsafeBytes { buffer in
                unsafe String(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<tab]), as: UTF8.self)
            }
            var words = TypedMnemonic()
            let wallet = try WalletName(name)
            try words.add(bytes.extracting(min(tab + 1, bytes.byteCount)..<bytes.byteCount))
            return WalletImport(name: wallet, secret: .mnemonic(words.text.copy()))
        }
    }

    /// Returns the failure, naming the line that caused it.
    func explain(_ error: any Error) -> Failure {
        var failure = failure ?? Failure(error)
        let place = Words("line \(count)", "ligne \(count)")
        failure.detail = failure.detail.map { place + Words(", ") + $0 } ?? place
        return failure
    }

    private static func tab(in bytes: RawSpan) -> Int? { (0..<bytes.byteCount).first { bytes.byte(at: $0) == 0x09 } }
}

extension WalletKind {
    /// Converts a secret to the vault's type.
    fileprivate func secret(_ held: HeldSecret) -> WalletSecret {
        switch self {
        case .mnemonic: .mnemonic(held.bytes.copy())
        case .privateKey: .privateKey(held.bytes.copy())
        case .opaque: .opaque(held.bytes.copy())
        }
    }
}
