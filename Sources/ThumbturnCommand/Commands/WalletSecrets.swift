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
            _ = try await ready(vault)
            // What is all there already and is no mnemonic costs no try.
            let given = kind == .mnemonic && !secrets.isTyped ? HeldSecret(try secrets.readMnemonic()) : nil
            try await openToChange(vault, linesFollow: isBehindPIN(source))
            // Nobody types 24 words for a name that is taken.
            if secrets.isTyped, try await vault.wallets().contains(where: { $0.name == name }) {
                throw Failure(.nameTaken)
            }
            let secret: HeldSecret
            switch kind {
            case .mnemonic: secret = try given ?? HeldSecret(secrets.readMnemonic())
            case .privateKey: secret = HeldSecret(try read(.privateKey, from: .line))
            case .opaque: secret = try file ?? HeldSecret(read(.opaque, from: source))
            }
            try await tell(added: add(secret, kind, named: name, to: vault))
            if secrets.isTyped { output.note(await Self.next(for: vault)) }
        }
    }

    /// Adds it; whoever typed for longer than an open vault waits opens it again instead of typing once more.
    private func add(
        _ secret: HeldSecret,
        _ kind: WalletKind,
        named name: WalletName,
        to vault: Vault
    ) async throws -> WalletSummary {
        do throws(VaultError) { return try await vault.addWallet(named: name, kind.secret(secret)) } catch {
            guard error.code == .locked, secrets.isTyped else { throw error }
            output.note(Failure(error))
            _ = try await openSession(vault)
            return try await vault.addWallet(named: name, kind.secret(secret))
        }
    }

    /// Reads a secret that is no file's.
    func read(_ question: Question, from source: SecretSource) throws(Failure) -> SecretBytes {
        if source == .rest { return try secrets.readRest(question) }
        guard let secret = try secrets.readOwnIfPresent(question) else { throw Failure(.inputClosed) }
        return secret
    }

    /// Whether the secret stands behind the line of the PIN.
    private func isBehindPIN(_ source: SecretSource) -> Bool {
        switch source {
        case .line, .rest: options.secretDescriptor != nil
        case .file: false
        }
    }

    func importWallets() async throws {
        try await withVault { vault, _ in
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
            guard let read = try secrets.readOwnIfPresent(.bulkLine, keepingTypedAhead: true) else { return nil }
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
            var words = TypedMnemonic()
            let wallet = try WalletName(name)
            try words.add(rest)
            return WalletImport(name: wallet, secret: .mnemonic(words.text.copy()))
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

extension WalletKind {
    /// What was read, as the vault takes it.
    fileprivate func secret(_ held: HeldSecret) -> WalletSecret {
        switch self {
        case .mnemonic: .mnemonic(held.bytes.copy())
        case .privateKey: .privateKey(held.bytes.copy())
        case .opaque: .opaque(held.bytes.copy())
        }
    }
}
