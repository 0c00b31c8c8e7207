import Thumbturn
import ThumbturnAudit
import ThumbturnConsole

extension Failure {
    /// Creates a failure for an export that does not verify.
    init(_ finding: AuditFinding) {
        self.init(
            finding.isNoExport ? .trailMalformed : .trailBroken,
            hint: finding.hint
        )
        statement = finding.text
    }
}

extension AuditFinding {
    /// What is wrong, in a sentence; `nil` where the error code says it.
    fileprivate var text: Words? {
        switch self {
        case .noExport: nil
        case .otherVersion(let version):
            Words(
                "This export has version \(version) of the format, which this release does not know.",
                "Cet export a la version \(version) du format, que cette version du programme ne connaît pas."
            )
        case .deviceMalformed:
            Words(
                "The line that names the device is damaged, so no record can be checked.",
                "La ligne qui nomme l'appareil est abîmée : aucun événement ne peut être vérifié."
            )
        case .deviceUnknown(let fingerprint):
            Words(
                "The export is by none of the keys given: its own has the fingerprint \(fingerprint).",
                "L'export n'est d'aucune des clés données : la sienne a l'empreinte \(fingerprint)."
            )
        case .recordMalformed(let seq):
            Words(
                "Event \(seq) is damaged: its line is not one that a device writes.",
                "L'événement \(seq) est abîmé : sa ligne n'est pas de celles qu'écrit un appareil."
            )
        case .recordChanged(let seq):
            Words(
                "Event \(seq) was changed after it was written.",
                "L'événement \(seq) a été modifié après avoir été écrit."
            )
        case .recordForeign(let seq):
            Words(
                "Event \(seq) is from another device, or from another trail of this one.",
                "L'événement \(seq) vient d'un autre appareil, ou d'un autre journal de celui-ci."
            )
        case .recordsMissing(let first, let last):
            first == last
                ? Words(
                    "Event \(first) is missing there, or stands further down.",
                    "L'événement \(first) manque à sa place."
                )
                : Words(
                    "The events \(first) to \(last) are missing there, or stand further down.",
                    "Les événements \(first) à \(last) manquent à leur place."
                )
        case .recordRepeated(let seq, let expected):
            Words(
                "Event \(seq) stands where event \(expected) is expected: twice, or out of order.",
                "L'événement \(seq) est à la place de l'événement \(expected) : en double, ou dans le désordre."
            )
        case .recordUnchained(0):
            Words(
                "Event 0 is not the beginning of this device's trail: it, or the device's key, was exchanged.",
                "L'événement 0 n'est pas le début du journal de cet appareil : lui, ou la clé de l'appareil, a été échangé."
            )
        case .recordUnchained(let seq):
            Words(
                "Event \(seq) does not continue event \(seq - 1): one of the two was exchanged.",
                "L'événement \(seq) ne continue pas l'événement \(seq - 1) : l'un des deux a été échangé."
            )
        case .recordUncounted(let seq):
            Words(
                "Event \(seq) is one too many: the first line counts \(seq).",
                "L'événement \(seq) est de trop : la première ligne en compte \(seq)."
            )
        case .cutOff(at: let seq):
            Words(
                "The file is cut off: it ends where event \(seq), or the signature, is expected.",
                "Le fichier est coupé : il finit là où l'on attend l'événement \(seq), ou la signature."
            )
        case .headMalformed:
            Words(
                "The last line, which the device signed, is damaged.",
                "La dernière ligne, que l'appareil a signée, est abîmée."
            )
        case .headForeign:
            Words(
                "The last line was signed for another device, or for another trail of this one.",
                "La dernière ligne a été signée pour un autre appareil, ou pour un autre journal de celui-ci."
            )
        case .endMissing(let first, let last):
            first == last
                ? Words("The last event, \(first), was removed.", "Le dernier événement, \(first), a été retiré.")
                : Words(
                    "The last events, \(first) to \(last), were removed.",
                    "Les derniers événements, \(first) à \(last), ont été retirés."
                )
        case .headElsewhere(let last):
            Words(
                "The device signed another last event than \(last), which is the last here.",
                "L'appareil a signé un autre dernier événement que \(last), le dernier d'ici."
            )
        case .countWrong(let header, let found):
            Words(
                "The first line counts \(header) events, and there are \(found).",
                "La première ligne compte \(header) événements, et il y en a \(found)."
            )
        case .signatureWrong:
            Words(
                "The signature is not this device's over this file: it was changed, or somebody else made it.",
                "La signature n'est pas celle de l'appareil pour ce fichier : il a été modifié, ou fait par un autre."
            )
        case .trailing:
            Words(
                "Something was added behind the line that the device signed.",
                "Quelque chose a été ajouté après la ligne signée par l'appareil."
            )
        }
    }

    fileprivate var hint: Words {
        switch self {
        case .noExport:
            Words(
                "name a file that `thumbturn audit export FILE` wrote",
                "nommez un fichier écrit par `thumbturn audit export FICHIER`"
            )
        case .otherVersion:
            Words("verify it with a newer release", "vérifiez-le avec une version plus récente")
        case .deviceUnknown:
            Words(
                "compare it with what `thumbturn status` shows on the device; ask for its key by another way",
                "comparez avec ce que montre `thumbturn status` sur l'appareil ; demandez sa clé par une autre voie"
            )
        default:
            seq.map {
                $0 == 0
                    ? Words(
                        "nothing in it can be believed: ask for the export again",
                        "rien n'y est crédible : redemandez l'export"
                    )
                    : Words(
                        "nothing from it on can be believed, and no signature vouches for the rest: ask for the export again",
                        "rien n'est crédible à partir de là, et aucune signature ne garantit le reste : redemandez l'export"
                    )
            }
                ?? Words(
                    "nothing vouches for this file as a whole: ask for the export again",
                    "rien ne garantit ce fichier dans son ensemble : redemandez l'export"
                )
        }
    }
}
