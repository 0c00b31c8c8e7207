import Thumbturn
import ThumbturnConsole

/// How far the device's trail can be believed, as the reason of its first record tells; the names are stable.
enum TrailHealth: String, Sendable, CaseIterable {
    /// It goes back to where it should.
    case whole
    case lost
    case damaged
    case cut
    case putBack

    /// - Parameter beganBecause: the reason of the first record; `nil` if that can't be read.
    init(beganBecause: String?) {
        guard let beganBecause else {
            self = .damaged
            return
        }
        switch TrailReason.allCases.first(where: { $0.name == beganBecause }) {
        case .lost: self = .lost
        case .damaged: self = .damaged
        case .cut: self = .cut
        case .putBack: self = .putBack
        case .created, .restored, .reinstalled, .deviceChanged, .full, .reset, nil: self = .whole
        }
    }

    /// In a few words.
    var text: Words {
        switch self {
        case .whole: Words("whole", "entier")
        case .lost: TrailReason.lost.text
        case .damaged: TrailReason.damaged.text
        case .cut: TrailReason.cut.text
        case .putBack: TrailReason.putBack.text
        }
    }

    /// What happened, and what to think of it; `nil` for a trail that is whole.
    private var news: Words? {
        switch self {
        case .whole: nil
        case .lost:
            Words(
                "The trail before this one, or its key, is gone: what happened before is not here. Somebody may have deleted"
                    + " it.",
                "Le journal d'avant, ou sa clé, a disparu : ce qui s'est passé avant n'est pas ici. Quelqu'un a pu l'effacer."
            )
        case .damaged:
            Words(
                "The trail before this one is damaged: what stood behind the damage is not here. It may be the disk, or"
                    + " somebody who changed it.",
                "Le journal d'avant est abîmé : ce qui suivait n'est pas ici. C'est peut-être le disque, ou quelqu'un qui l'a"
                    + " modifié."
            )
        case .cut:
            Words(
                "The end of the trail before this one was cut off: somebody removed the last events.",
                "La fin du journal d'avant a été coupée : quelqu'un en a retiré les derniers événements."
            )
        case .putBack:
            Words(
                "An older copy of the vault, or of its count of tries, was put back: what happened since that copy may be"
                    + " missing.",
                "Une copie plus ancienne du coffre, ou du compte des essais, a été remise : ce qui s'est passé depuis peut"
                    + " manquer."
            )
        }
    }

    /// Returns what a person is told first; `nil` for a trail that is whole.
    ///
    /// - Parameter hasFormer: whether the chain before is kept, as far as it stands.
    func firstLine(hasFormer: Bool) -> Words? {
        guard let news else { return nil }
        guard hasFormer else {
            return news
                + Words(
                    " If that was not you, look at an earlier export, and change the PIN: `thumbturn pin change`.",
                    " Si ce n'était pas vous, voyez un export antérieur, et changez le code : `thumbturn pin change`."
                )
        }
        return news
            + Words(
                " What is left of it: `thumbturn audit export FILE --former`. If that was not you, change the PIN:"
                    + " `thumbturn pin change`.",
                " Ce qu'il en reste : `thumbturn audit export FICHIER --former`. Si ce n'était pas vous, changez le code :"
                    + " `thumbturn pin change`."
            )
    }
}

extension TrailSummary {
    var health: TrailHealth { TrailHealth(beganBecause: beganBecause) }
}
