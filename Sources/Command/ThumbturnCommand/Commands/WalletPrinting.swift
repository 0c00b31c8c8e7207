import Thumbturn
import ThumbturnConsole

/// Prints several secrets, each as a line or an object.
final class WalletPrinting: @unchecked Sendable {
    // Safe to send: one command at a time prints wallets, and ends after the last.
    private let output: Output
    private var count = 0
    private var refusals: [Failure] = []

    init(output: Output) { self.output = output.gathering() }

    func take(_ wallet: WalletSummary, _ secret: RawSpan) throws {
        guard !output.isJSON else {
            try output.write(count == 0 ? "{\"wallets\":[" : ",")
            count += 1
            let head: JSON = [
                "name": .string(wallet.name.text), "kind": .string(wallet.kind.name), "id": .string(wallet.id.text),
            ]
            return try output.write(secret, in: head)
        }
        guard SecretText.isOneLine(secret) else {
            let failure = Failure(
                .usage,
                statement: Words(
                    "The secret has line breaks or control characters.",
                    "Le secret contient des sauts de ligne ou des caractères de contrôle."
                ),
                hint: Words("export it by itself, or with --json", "exportez-le à part, ou avec --json")
            )
            try flush()
            output.note(Words("\(wallet.name.text): ") + failure.line)
            return refusals.append(failure)
        }
        try output.write(output.shown(wallet.name.text) + "\t")
        try output.write(secret)
        try output.write("\n")
        count += 1
    }

    /// Writes the gathered output.
    func flush() throws { try output.flush() }

    /// Reports a wallet that could not be printed, by name, or by position if the name is invalid.
    func refuse(_ failure: Failure, _ name: String, at number: Int) {
        let label = failure.code == .nameInvalid ? Words("name \(number): ", "nom \(number) : ") : Words("\(name): ")
        output.note(label + failure.line)
        refusals.append(failure)
    }

    /// Ends the output.
    ///
    /// - Parameters:
    ///   - reading: the wallets that were read.
    ///   - asked: the number of names given; 0 asks for all wallets.
    /// - Throws: the worst failure that kept a wallet from being printed.
    func end(_ reading: Context.Reading, asked: Int) throws {
        let inventory = asked == 0 ? reading.inventory : nil
        try flush()
        for wallet in inventory?.damaged ?? [] {
            output.note(Words("\(wallet.label): ") + Failure(.vaultTampered).line)
        }
        var failure = inventory?.failure
        if failure == nil, let worst = refusals.max(by: { $0.exitCode < $1.exitCode }) {
            failure = sum(of: refusals.count, of: asked == 0 ? count + refusals.count : asked, worst)
        }
        if failure == nil, reading.inventory.isLogLost { failure = Failure(.logUnusable) }
        failure = reading.about(failure)
        if output.isJSON {
            if count == 0 { try output.write("{\"wallets\":[") }
            var rest: [(String, JSON)] = failure == nil ? [] : inventory?.members ?? []
            if let failure { rest.append(("error", output.json(of: failure))) }
            try output.write("]" + (rest.isEmpty ? "}" : "," + JSON.object(rest).text.dropFirst()) + "\n")
            try flush()
        }
        guard var failure else { return }
        failure.isPrinted = true
        throw failure
    }

    private func sum(of count: Int, of all: Int, _ worst: Failure) -> Failure {
        let wallets = Words("\(count) of \(all) wallets", "\(count) sur \(all) portefeuilles")
        guard worst.code == .usage else { return Failure(worst.code, wallets, hint: worst.hint) }
        let statement = Words("Not printed: ", "Non affichés : ") + wallets + Words(".")
        return Failure(.usage, statement: statement, hint: worst.hint)
    }
}

extension Failure {
    /// Code and message, to follow a prefix on a line.
    fileprivate var line: Words {
        Words("\(code.text) \(message(in: .english))", "\(code.text) \(message(in: .french))")
    }
}

extension Output {
    /// Writes an object that contains a secret, without copying the secret into other memory.
    func write(_ secret: RawSpan, in head: JSON) throws(Failure) {
        let quoted = SecretText(quoting: secret)
        try write(head.text.dropLast() + ",\"encoding\":\"\(quoted.encoding.rawValue)\",\"secret\":")
        try quoted.bytes.withBytes { bytes throws(Failure) in try write(bytes) }
        try write("}")
    }
}
