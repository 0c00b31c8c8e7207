import ThumbturnCrypto

/// The command line: `vault` or `service`, options, and names of figures; no name means all.
struct BenchOptions {
    enum Subject: String { case vault, service }

    let subject: Subject
    /// The folder given to `Scripts/linux-stack.sh up`; `nil` leaves out the figures of the Linux device.
    private(set) var stack: String?
    /// The file of Java's options that `Android/test.sh --bench` wrote; `nil` leaves out the figures of Android.
    private(set) var java: String?
    /// A Python with the package `srp`.
    private(set) var python: String?
    /// An empty PostgreSQL database.
    private(set) var postgres: String?
    /// A key that signs ten times a second, as `serve --signer` takes it.
    private(set) var signer: String?
    private(set) var names: [String] = []
    /// Whether the figures of ten million records are measured, instead of all others.
    private(set) var isSoak = false

    static let usage =
        "usage: thumbturn-bench vault [--stack DIR] [--java FILE] [NAME...]\n"
        + "       thumbturn-bench service [--python PATH] [--postgres URI] [--signer SIGNER] [soak|NAME...]"

    init(_ arguments: [String]) throws(UsageError) {
        guard let subject = arguments.first.flatMap(Subject.init) else { throw UsageError(text: Self.usage) }
        self.subject = subject
        var rest = arguments.dropFirst()
        while let word = rest.popFirst() {
            switch (word, subject) {
            case ("--stack", .vault): stack = try Self.value(&rest)
            case ("--java", .vault): java = try Self.value(&rest)
            case ("--python", .service): python = try Self.value(&rest)
            case ("--postgres", .service): postgres = try Self.value(&rest)
            case ("--signer", .service): signer = try Self.value(&rest)
            case _ where word.hasPrefix("-"): throw UsageError(text: Self.usage)
            case ("soak", .service): isSoak = true
            default: names.append(word)
            }
        }
    }

    private static func value(_ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst() else { throw UsageError(text: usage) }
        return value
    }

    /// Facts that do not depend on the machine's speed.
    var notes: [String] {
        switch subject {
        case .vault:
            let argon2 = Argon2Limits.standard.default
            return [
                "Argon2id \(argon2.memoryKiB / 1_024) MiB, \(argon2.passes) passes, 1 lane",
                stack.map { "tpm, tpm-open, fprintd: on a software TPM, and the fprintd of the stack in \($0)" }
                    ?? "tpm, tpm-open, fprintd: left out without --stack",
                java == nil ? "android: left out without --java" : "android: no phone, a Java machine here",
            ]
        case .service:
            return [
                "logins in the group of 3,072 bits; processor time without network and store, wall time with the store",
                python == nil ? "pypi: left out without --python" : "pypi: by srp's own library",
                postgres == nil ? "postgres: left out without --postgres" : "postgres: by the server of --postgres",
                signer == nil ? "slow: left out without --signer" : "slow: signed by the key of --signer",
            ]
        }
    }
}

/// A command line that asks for something that does not exist.
struct UsageError: Error {
    let text: String
}
