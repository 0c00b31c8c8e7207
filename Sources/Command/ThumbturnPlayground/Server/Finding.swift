import ThumbturnAudit
import ThumbturnJSON

/// What the trail's verifier finds in an export.
struct Finding {
    private let export: String
    private let verdict: Result<ExportVerifier.Summary, ExportVerifier.Finding>

    init(_ export: String) {
        self.export = export
        var rest: [UInt8]? = Array(export.utf8)
        verdict = ExportVerifier.verify { () throws(Never) in rest.take() }
    }

    var json: JSON {
        let (seq, error): (JSON, JSON) =
            switch verdict {
            case .success: (.null, .null)
            case .failure(.device(let finding)):
                (finding.seq.map { .integer(Int64(clamping: $0)) } ?? .null, Self.error("\(finding)"))
            case .failure(.ledger(let finding)): (.null, Self.error("\(finding)"))
            }
        let isWhole = if case .success = verdict { true } else { false }
        return ["error": error, "export": .string(export), "isWhole": .bool(isWhole), "seq": seq]
    }

    /// - Parameter text: a case, with its values in brackets.
    private static func error(_ text: String) -> JSON {
        ["code": .string(String(text.prefix { $0 != "(" })), "message": .string("")]
    }
}
