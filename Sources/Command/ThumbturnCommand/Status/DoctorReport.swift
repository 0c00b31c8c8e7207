import Thumbturn
import ThumbturnConsole
import ThumbturnFiles
import ThumbturnRules

/// What a machine offers to a vault: one line per part, and a hint for what can be fixed.
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

    /// Formats the findings for a terminal.
    func text(on output: Output) -> String {
        findings.flatMap { finding in
            finding.words.enumerated().map { index, words in
                let part = index == 0 ? finding.part.in(output.language) : ""
                let mark = index == 0 ? finding.mark.text : " "
                let beginning = "  " + part.filled(to: 13) + mark + " "
                // If that leaves a narrow column, continue lines near the left edge.
                let indent = output.width < 60 ? 4 : beginning.columns - 2
                return output.wrapped(output.shown(beginning + words.in(output.language)), indent: indent)
            }
        }.joined(separator: "\n")
    }

    /// Adds locked memory, core files and debuggers.
    mutating func addProcess(memoryIsLocked: Bool, isHardened: Bool) {
        add(
            Words("memory", "mémoire"),
            memoryIsLocked ? .good : .bad,
            memoryIsLocked
                ? [Words("secrets are never swapped to disk", "les secrets ne sont jamais écrits sur le disque")]
                : [StatusWarning.memoryNotLocked.text, Words("raise `ulimit -l`", "augmentez `ulimit -l`")],
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

    /// Adds the folders above vault and keys that other users own or can write.
    mutating func add(exposed folders: [String]) {
        add(
            Words("folders", "dossiers"),
            folders.isEmpty ? .good : .bad,
            folders.isEmpty
                ? [
                    Words(
                        "only you can replace the vault and its keys",
                        "vous seul pouvez remplacer le coffre et ses clés"
                    )
                ]
                : folders.map {
                    Words(
                        "others own it or can write to it: \($0)",
                        "d'autres le possèdent ou peuvent y écrire : \($0)"
                    )
                } + [
                    Words(
                        "they could replace the vault: `chmod go-w FOLDER`, or `chown` it",
                        "ils pourraient remplacer le coffre : `chmod go-w DOSSIER`, ou `chown`"
                    )
                ],
            ("exposedFolders", .array(folders.map { .string($0) }))
        )
    }

    /// Adds damaged files in the devices' key folders.
    mutating func add(damaged files: [String]) {
        add(
            Words("keys", "clés"),
            files.isEmpty ? .good : .bad,
            files.isEmpty
                ? [Words("none of their files is damaged", "aucun de leurs fichiers n'est abîmé")]
                : files.map { Words("damaged: \($0)", "abîmé : \($0)") } + [
                    Words(
                        "an anchor costs a day; a device secret needs the recovery key, or its file as it was",
                        "une ancre coûte un jour ; un secret demande la clé de secours, ou son fichier d'avant"
                    )
                ],
            ("damagedKeys", .array(files.map { .string($0) }))
        )
    }

    /// Adds what the file system of the vault's folder lacks.
    mutating func add(_ need: FolderNeed?, of folder: String) {
        let fault: StorageFault? = need.map { $0 == .locks ? .noLocks : .noSharedMemory }
        add(
            Words("disk", "disque"),
            fault == nil ? .good : .bad,
            fault == nil
                ? [Words("a vault can be kept there", "un coffre peut s'y trouver")]
                : [fault?.text, fault?.hint].compactMap(\.self),
            ("disk", ["folder": .string(folder), "lacks": JSON(need.map { "\($0)" })])
        )
    }

    /// Adds the device that a new vault would use.
    mutating func add(_ prospect: Context.Prospect) {
        add(
            Words("a new vault", "un coffre"),
            prospect.assurance == .hardwareBound && prospect.obstacle == nil && !prospect.mayLackRoom ? .good : .bad,
            [
                prospect.obstacle == nil
                    ? Words("would be made on: ", "serait créé sur : ") + prospect.choice.text
                        + (prospect.mayLackRoom ? Words(", if it has room", ", s'il a la place") : Words(""))
                    : Words("can't be made now on: ", "ne peut être créé pour l'instant sur : ") + prospect.choice.text
            ]
                + (prospect.obstacle.map { [$0.statement, $0.hint].compactMap(\.self) } ?? [prospect.worth]),
            (
                "newVault",
                [
                    "keys": .string(prospect.choice.rawValue), "assurance": .string(prospect.assurance.name),
                    "error": JSON(prospect.obstacle?.code.text),
                ]
            )
        )
    }

    /// Adds why a new vault needs `--device`.
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
