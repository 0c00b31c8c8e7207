import Thumbturn
import ThumbturnConsole

/// What a machine has for a vault: a line for each part, and a hint where something could be mended.
struct DoctorReport {
    enum Mark {
        case good, fair, bad

        var text: String {
            switch self {
            case .good: "●"
            case .fair: "○"
            case .bad: "▲"
            }
        }
    }

    private struct Finding {
        let part: Words
        let mark: Mark
        let words: [Words]
    }

    private var findings: [Finding] = []
    private(set) var members: [(String, JSON)] = []

    /// The findings as a terminal shows them.
    func text(on output: Output) -> String {
        findings.flatMap { finding in
            finding.words.enumerated().map { index, words in
                let part = index == 0 ? finding.part.in(output.language) : ""
                let mark = index == 0 ? finding.mark.text : " "
                let beginning = "  " + part.filled(to: 13) + mark + " "
                // Where that leaves a narrow column, lines go on near the edge.
                let indent = output.width < 60 ? 4 : beginning.columns - 2
                return output.wrapped(output.shown(beginning + words.in(output.language)), indent: indent)
            }
        }.joined(separator: "\n")
    }

    /// Locked memory, core files and debuggers.
    mutating func addProcess(memoryIsLocked: Bool, isHardened: Bool) {
        add(
            Words("memory", "mémoire"),
            memoryIsLocked ? .good : .bad,
            memoryIsLocked
                ? [Words("secrets are never swapped to disk", "les secrets ne vont jamais sur le disque")]
                : [
                    StatusWarning.memoryNotLocked.text,
                    Words("raise `ulimit -l`", "augmentez `ulimit -l`"),
                ],
            ("memoryIsLocked", .bool(memoryIsLocked))
        )
        add(
            Words("process", "processus"),
            isHardened ? .good : .bad,
            isHardened
                ? [Words("no core files, no debuggers", "ni fichiers core, ni débogueurs")]
                : [StatusWarning.processNotHardened.text],
            ("isHardened", .bool(isHardened))
        )
    }

    /// What a vault would be made on.
    mutating func add(_ prospect: Context.Prospect) {
        add(
            Words("a new vault", "un coffre"),
            prospect.assurance == .hardwareBound ? .good : .bad,
            [
                Words("would lie on: ", "serait créé sur : ") + prospect.choice.text,
                prospect.worth,
            ],
            (
                "newVault",
                ["keys": .string(prospect.choice.rawValue), "assurance": .string(prospect.assurance.name)]
            )
        )
    }

    /// Why no vault would be made unless a device is named.
    mutating func addNoDevice(_ refusal: Failure) {
        add(
            Words("a new vault", "un coffre"),
            .bad,
            [Words("no device here guards keys", "aucun appareil ne garde de clés ici"), refusal.hint].compactMap(
                \.self
            ),
            ("newVault", .null)
        )
    }

    mutating func add(_ part: Words, _ mark: Mark, _ words: [Words], _ member: (String, JSON)) {
        findings.append(Finding(part: part, mark: mark, words: words))
        members.append(member)
    }
}
