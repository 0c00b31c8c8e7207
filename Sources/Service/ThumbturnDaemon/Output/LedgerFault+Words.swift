import ThumbturnAudit
import ThumbturnConsole
import ThumbturnRules
import ThumbturnService

extension LedgerFault {
    /// What is wrong, in a sentence without its end.
    var words: Words {
        switch self {
        case .logMissing: Words("the log's row is gone", "la ligne du journal a disparu")
        case .originWrong: Words("the log has another name", "le journal a un autre nom")
        case .formerWrong:
            Words(
                "leaf 0 does not name the former log's last head",
                "la feuille 0 ne nomme pas la dernière tête du journal précédent"
            )
        case .headWrong(let size):
            Words(
                "the log's row, of \(size) leaves, does not fit them",
                "la ligne du journal, de \(size) feuilles, n'y correspond pas"
            )
        case .leafMissing(let index): Words("leaf \(index) is missing", "la feuille \(index) manque")
        case .leafChanged(let index): Words("leaf \(index) was changed", "la feuille \(index) a été modifiée")
        case .leafMalformed(let index):
            Words(
                "leaf \(index) is neither a record nor an entry",
                "la feuille \(index) n'est ni un événement ni une inscription"
            )
        case .leafUncounted(let index):
            Words("leaf \(index) stands behind the log's end", "la feuille \(index) est après la fin du journal")
        case .timeFell(let index):
            Words(
                "leaf \(index) is older than the one before",
                "la feuille \(index) est plus ancienne que la précédente"
            )
        case .tileChanged(let tile, let index):
            Words(
                "tile \(tile.level)/\(tile.number) is wrong from leaf \(index) on",
                "la tuile \(tile.level)/\(tile.number) est fausse à partir de la feuille \(index)"
            )
        case .rootWrong(let first, let end):
            Words(
                "leaves \(first) to \(end - min(end, 1)) don't give the signed root",
                "les feuilles \(first) à \(end - min(end, 1)) ne donnent pas la racine signée"
            )
        case .noteWrong(let size):
            Words("the head of size \(size) was changed", "la tête de taille \(size) a été modifiée")
        case .noteMissing(let size):
            Words("the head of size \(size) is missing", "la tête de taille \(size) manque")
        case .keyWrong(let id):
            Words("nothing vouches for the key \(id)", "rien ne garantit la clé \(id)")
        case .recordUnchained(let index):
            Words(
                "the record in leaf \(index) does not continue its chain",
                "l'événement de la feuille \(index) ne continue pas sa chaîne"
            )
        case .chainUnknown(let index):
            Words(
                "the chain of the record in leaf \(index) is gone",
                "la chaîne de l'événement de la feuille \(index) a disparu"
            )
        case .chainWrong(let device, let epoch, let index):
            Words(
                "the end of chain \(epoch.text) of device \(device.text) is wrong",
                "la fin de la chaîne \(epoch.text) de l'appareil \(device.text) est fausse"
            ) + (index.map { Words("; its last leaf is \($0)", " ; sa dernière feuille est \($0)") } ?? Words(""))
        case .uploadMissing(let index):
            Words("no upload brought leaf \(index)", "aucun envoi n'a apporté la feuille \(index)")
        case .uploadWrong(let index):
            Words(
                "the upload that begins at leaf \(index) is not what its device signed",
                "l'envoi qui commence à la feuille \(index) n'est pas celui que l'appareil a signé"
            )
        case .forkWrong(let index):
            Words(
                "what forked a chain, as leaf \(index) says, is not what is kept",
                "ce qui a dédoublé une chaîne, selon la feuille \(index), n'est pas ce qui est gardé"
            )
        case .outboxWrong(let number):
            Words("the waiting entry \(number) is gone", "l'inscription en attente \(number) a disparu")
        case .outboxCount(let entries, let counted):
            Words(
                "the log has \(entries) entries about accounts, and counts \(counted)",
                "le journal a \(entries) inscriptions sur des comptes, et en compte \(counted)"
            )
        }
    }
}
