import Thumbturn
import ThumbturnAudit
import ThumbturnConsole
import ThumbturnRules

extension LedgerRemark {
    /// What a reader should know, in a sentence.
    var text: Words {
        switch self {
        case .revoked(let device, let index, let count):
            Words("Device \(device.text) wrote ", "L'appareil \(device.text) a écrit ") + .events(count)
                + Words(
                    " after it was revoked, from event \(index) of the log on.",
                    " après sa révocation, à partir de l'événement \(index) du registre."
                )
        case .forked(let device, _, let index):
            Words(
                "A trail of device \(device.text) went on in two ways: it ends with event \(index) of the log.",
                "Un journal de l'appareil \(device.text) a bifurqué : il finit avec l'événement \(index) du registre."
            )
        case .cut(let device, let epoch, let count, let told):
            Words(
                "Trail \(epoch.text) of device \(device.text) has \(count) events here, and the next trail tells of \(told).",
                "Le journal \(epoch.text) de l'appareil \(device.text) a \(count) événements ici, et le journal suivant en"
                    + " indique \(told)."
            )
        case .diverged(let device, let epoch, let seq):
            Words(
                "Trail \(epoch.text) of device \(device.text) ends with another event \(seq) than the next trail says.",
                "Le journal \(epoch.text) de l'appareil \(device.text) finit par un autre événement \(seq) que ne le dit le"
                    + " journal suivant."
            )
        case .restored(let origin, let size):
            Words(
                "This log began when a backup was restored, in place of \(origin) with \(size) events.",
                "Ce registre a commencé après la restauration d'une sauvegarde, à la place de \(origin) et ses \(size)"
                    + " événements."
            )
        case .older(let size):
            Words(
                "This device knows \(size) events of the log: the export is older, so the two were not compared.",
                "Cet appareil connaît \(size) événements du registre : l'export est plus ancien, et n'a pas été comparé."
            )
        }
    }

    /// The kind, the device, the chain, a place in the log, how many there are, how many are told of, and a log's name.
    var json: JSON {
        var (device, epoch, index): (Identifier?, Identifier?, UInt64?) = (nil, nil, nil)
        var (count, told, origin): (UInt64?, UInt64?, String?) = (nil, nil, nil)
        let kind: String
        switch self {
        case .revoked(let found, let place, let number):
            (kind, device, index, count) = ("revoked", found, place, number)
        case .forked(let found, let chain, let place): (kind, device, epoch, index) = ("forked", found, chain, place)
        case .cut(let found, let chain, let number, let other):
            (kind, device, epoch, count, told) = ("cut", found, chain, number, other)
        case .diverged(let found, let chain, let seq):
            (kind, device, epoch, count) = ("diverged", found, chain, seq + 1)
        case .restored(let name, let size): (kind, origin, count) = ("restored", name, size)
        case .older(let size): (kind, told) = ("older", size)
        }
        func number(_ number: UInt64?) -> JSON { number.map { .integer(Int64(clamping: $0)) } ?? .null }
        return [
            "kind": .string(kind), "deviceId": JSON(device?.text), "epoch": JSON(epoch?.text), "index": number(index),
            "count": number(count), "told": number(told), "origin": JSON(origin),
        ]
    }
}
