import Thumbturn
import ThumbturnConsole

extension TrailDelivery {
    /// How many events wait, when the service last took any, and what stands in the way.
    var line: Words {
        let waiting =
            undelivered > 0
            ? Words(undelivered == 1 ? "1 event waits" : "\(undelivered) events wait", "en attente : \(undelivered)")
            : Words("all sent", "tout est envoyé")
        let last = deliveredAt.map { Words(" · last sent ", " · dernier envoi ") + Words($0.localDate) } ?? Words("")
        return waiting + last + (halt.map { Words(" · ") + $0.text } ?? Words(""))
    }

    var json: JSON {
        [
            "undelivered": .integer(Int64(clamping: undelivered)),
            "deliveredAt": deliveredAt.map { .integer($0.count) } ?? .null, "origin": JSON(origin),
            "halt": JSON(halt?.rawValue), "refusal": JSON(refusal),
        ]
    }
}

extension TrailHalt {
    /// What stands in the way, as a part of a line.
    var text: Words {
        switch self {
        case .logUnknown:
            Words("no login has told of the account's log yet", "aucune connexion n'a encore indiqué le registre")
        case .otherLog: Words("the service keeps another log now", "le service tient maintenant un autre registre")
        case .unknownDevice: Words("the service does not know this device", "le service ne connaît pas cet appareil")
        case .refused: Words("the service refuses the events", "le service refuse les événements")
        case .inconsistent:
            Words(
                "the service signed two states of its log that exclude each other",
                "le service a signé deux états de son registre qui s'excluent"
            )
        case .forgetful:
            Words(
                "the log has lost events that the service acknowledged",
                "le registre a perdu des événements que le service avait confirmés"
            )
        }
    }

    /// What to do about it.
    var hint: Words {
        switch self {
        case .logUnknown, .otherLog:
            Words("`thumbturn account login` asks for it", "`thumbturn account login` le demande")
        case .unknownDevice: Failure.unknownDevice
        case .refused:
            Words(
                "ask the service's operator; `thumbturn audit push` tries again",
                "demandez à l'exploitant du service ; `thumbturn audit push` réessaie"
            )
        case .inconsistent, .forgetful:
            Words(
                "nothing more is sent to it; the vault keeps the evidence: ask the service's operator",
                "rien ne lui est plus envoyé ; le coffre garde la preuve : demandez à l'exploitant du service"
            )
        }
    }
}

extension Words {
    /// The text as a sentence of its own.
    var sentence: Words { Words(Self.sentence(english), Self.sentence(french)) }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
}
