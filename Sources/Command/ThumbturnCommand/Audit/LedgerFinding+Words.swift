import Thumbturn
import ThumbturnAudit
import ThumbturnConsole
import ThumbturnRules

extension Failure {
    /// Creates a failure for a service's export that does not verify.
    init(_ finding: LedgerFinding) {
        self.init(.trailBroken, hint: finding.hint)
        statement = finding.text
    }
}

extension LedgerFinding {
    /// The places that `--json` names: of leaves, and in the chain of the device where that is what broke.
    var json: [(String, JSON)] {
        func number(_ number: UInt64?) -> JSON { number.map { .integer(Int64(clamping: $0)) } ?? .null }
        var (seq, device): (UInt64?, Identifier?) = (nil, nil)
        if case .recordUnchained(_, device: let found, let finding) = self { (seq, device) = (finding.seq, found) }
        return [("seq", number(seq)), ("index", number(leaves?.lowerBound)), ("lastIndex", number(leaves?.upperBound))]
            + (device.map { [("deviceId", .string($0.text))] } ?? [])
    }

    /// What is wrong, in a sentence.
    fileprivate var text: Words {
        switch self {
        case .noExport, .keyMalformed, .keysUnordered, .keyUnknown, .keyUnnamed, .keyElsewhere, .keyUnlisted: textOfKeys
        case .leafMalformed, .leafUncounted, .leafElsewhere, .recordChanged, .recordUnchained, .recordForked,
            .signatureElsewhere, .timeFell:
            textOfLeaves
        case .deviceMissing, .deviceMalformed, .deviceIdle, .uploadMissing, .uploadMalformed, .uploadElsewhere,
            .uploadUnsigned, .uploadIdle:
            textOfDevices
        case .checkpointMalformed, .checkpointElsewhere, .checkpointUnsigned, .leavesMissing, .leavesChanged,
            .otherFace, .cutOff, .trailing:
            textOfHeads
        }
    }

    private var textOfKeys: Words {
        switch self {
        case .keysUnordered:
            Words("The log's keys are not in order.", "Les clés du registre ne sont pas dans l'ordre.")
        case .keyUnknown(let fingerprint):
            Words(
                "The log's first key is none of those given: its fingerprint is \(fingerprint).",
                "La première clé du registre n'est aucune de celles données : son empreinte est \(fingerprint)."
            )
        case .keyUnnamed(let fingerprint):
            Words(
                "No trusted key vouches for the one with the fingerprint \(fingerprint), which signs.",
                "Aucune clé sûre ne garantit celle d'empreinte \(fingerprint), qui signe."
            )
        case .keyElsewhere(let fingerprint):
            Words(
                "The key with the fingerprint \(fingerprint) does not begin to sign where its line says.",
                "La clé d'empreinte \(fingerprint) ne commence pas à signer là où sa ligne le dit."
            )
        case .keyUnlisted(let id):
            Words(
                "The log's key \(id) signs, and its line is missing.",
                "La clé \(id) du registre signe, et sa ligne manque."
            )
        default:
            Words(
                "The lines that name the log's keys are missing or damaged.",
                "Les lignes qui nomment les clés du registre manquent ou sont abîmées."
            )
        }
    }

    private var textOfLeaves: Words {
        switch self {
        case .leafUncounted(let index):
            Words(
                "Event \(index) of the log is one too many: the first line counts \(index).",
                "L'événement \(index) du registre est de trop : la première ligne en compte \(index)."
            )
        case .leafElsewhere(let index, let found):
            Words(
                "Event \(found) of the log stands where event \(index) is expected: one is missing, twice or out of order.",
                "L'événement \(found) du registre est à la place de l'événement \(index) : absence, doublon ou désordre."
            )
        case .recordChanged(let index):
            Words(
                "Event \(index) of the log was changed after its device wrote it.",
                "L'événement \(index) du registre a été modifié après que son appareil l'a écrit."
            )
        case .recordUnchained(let index, let device, let finding):
            Words("Event \(index) of the log ", "L'événement \(index) du registre ") + finding.textInChain
                + Words(" (device \(device.text)).", " (appareil \(device.text)).")
        case .recordForked(let index):
            Words(
                "Event \(index) of the log is from a trail that had ended before it, in a fork.",
                "L'événement \(index) du registre vient d'un journal qui avait pris fin avant, dans une bifurcation."
            )
        case .signatureElsewhere(let index):
            Words(
                "Event \(index) of the log carries another signature than that of the head that vouches for it.",
                "L'événement \(index) du registre porte une autre signature que celle de la tête qui le garantit."
            )
        case .timeFell(let index):
            Words(
                "The service's clock went back at event \(index) of the log.",
                "L'horloge du service a reculé à l'événement \(index) du registre."
            )
        default:
            Words(
                "Event \(place) of the log is damaged: its line is not one that a service writes.",
                "L'événement \(place) du registre est abîmé : sa ligne n'est pas de celles qu'écrit un service."
            )
        }
    }

    private var textOfDevices: Words {
        switch self {
        case .deviceMissing:
            Words(
                "The line of its device is missing before event \(place) of the log.",
                "La ligne de son appareil manque avant l'événement \(place) du registre."
            )
        case .deviceMalformed:
            Words(
                "The line of a device before event \(place) of the log is damaged, or comes again.",
                "La ligne d'un appareil avant l'événement \(place) du registre est abîmée, ou en double."
            )
        case .deviceIdle:
            Words(
                "Event \(place) of the log does not begin the trail of the device whose line stands before it.",
                "L'événement \(place) du registre ne commence pas le journal de l'appareil dont la ligne précède."
            )
        case .uploadMissing:
            Words(
                "What its device signed is missing behind event \(place) of the log.",
                "Ce que son appareil a signé manque après l'événement \(place) du registre."
            )
        case .uploadMalformed:
            Words(
                "What its device signed behind event \(place) of the log is damaged.",
                "Ce que son appareil a signé après l'événement \(place) du registre est abîmé."
            )
        case .uploadUnsigned:
            Words(
                "The signature behind event \(place) of the log is not its device's, or not for this log.",
                "La signature après l'événement \(place) du registre n'est pas de son appareil, ou pas pour ce registre."
            )
        case .uploadIdle:
            Words(
                "A device's signature that is for no event stands before event \(place) of the log.",
                "Une signature d'appareil, pour aucun événement, précède l'événement \(place) du registre."
            )
        default:
            Words(
                "What a device signed behind event \(place) of the log is about other events.",
                "Ce qu'un appareil a signé après l'événement \(place) du registre concerne d'autres événements."
            )
        }
    }

    private var textOfHeads: Words {
        switch self {
        case .checkpointElsewhere(_, let size):
            Words(
                "The signed head of \(size) events of the log does not stand behind them.",
                "La tête signée de \(size) événements du registre n'est pas après eux."
            )
        case .checkpointUnsigned:
            Words(
                "No key of the log signed the head that should vouch for event \(place).",
                "Aucune clé du registre n'a signé la tête qui devrait garantir l'événement \(place)."
            )
        case .leavesMissing(let first, let last):
            Words(
                "Events \(first) to \(last) of the log were removed.",
                "Les événements \(first) à \(last) du registre ont été retirés."
            )
        case .leavesChanged(let first, let last):
            first == last
                ? Words("Event \(first) of the log was changed.", "L'événement \(first) du registre a été modifié.")
                : Words(
                    "One of the events \(first) to \(last) of the log was changed: together they are not what was signed.",
                    "Un des événements \(first) à \(last) du registre a été modifié : ensemble, ils ne sont pas ce qui a été"
                        + " signé."
                )
        case .otherFace(let size):
            Words(
                "The log showed this device other events: up to \(size), the two are not the same.",
                "Le registre a montré d'autres événements à cet appareil : jusqu'à \(size), les deux diffèrent."
            )
        case .cutOff:
            Words(
                "The file is cut off: it ends where event \(place) of the log, or its last signed head, is expected.",
                "Le fichier est coupé : il finit là où l'on attend l'événement \(place) du registre, ou sa dernière tête signée."
            )
        case .trailing:
            Words(
                "Something was added behind the last signed head of the log.",
                "Quelque chose a été ajouté après la dernière tête signée du registre."
            )
        default:
            Words(
                "The signed head that should vouch for event \(place) of the log is damaged, or another log's.",
                "La tête signée qui devrait garantir l'événement \(place) du registre est abîmée, ou d'un autre registre."
            )
        }
    }

    private var place: UInt64 { leaves?.lowerBound ?? 0 }

    fileprivate var hint: Words {
        switch self {
        case .keyUnknown, .keyUnnamed:
            Words(
                "ask the service's operator for its keys by another way; where keys were rotated, give each with --key",
                "demandez ses clés à l'exploitant par une autre voie ; après une rotation, donnez chacune avec --key"
            )
        case .otherFace:
            Words(
                "keep this file: with what this device keeps, it proves that the log has two faces",
                "gardez ce fichier : avec ce que garde cet appareil, il prouve que le registre a deux visages"
            )
        default:
            leaves.map {
                $0.lowerBound == 0
                    ? Words(
                        "nothing in it can be believed: ask for the export again",
                        "rien n'y est crédible : redemandez l'export"
                    )
                    : Words(
                        "nothing from event \($0.lowerBound) on can be believed: ask for the export again",
                        "rien n'est crédible à partir de l'événement \($0.lowerBound) : redemandez l'export"
                    )
            }
                ?? Words(
                    "nothing vouches for this file as a whole: ask for the export again",
                    "rien ne garantit ce fichier dans son ensemble : redemandez l'export"
                )
        }
    }
}

extension AuditFinding {
    /// What is wrong with a record's place in its chain, behind the record's name.
    fileprivate var textInChain: Words {
        switch self {
        case .recordsMissing(let first, let last):
            Words(
                "does not continue its trail: the trail's events \(first) to \(last) are missing",
                "ne continue pas son journal : les événements \(first) à \(last) du journal manquent"
            )
        case .recordRepeated(let seq, before: _):
            Words(
                "does not continue its trail: it is the trail's event \(seq), which comes again",
                "ne continue pas son journal : c'est l'événement \(seq) du journal, qui revient"
            )
        default:
            Words(
                "does not continue its trail: it, or the trail's event before it, was exchanged",
                "ne continue pas son journal : lui, ou l'événement d'avant du journal, a été échangé"
            )
        }
    }
}
