import Thumbturn
import ThumbturnConsole
import ThumbturnRules

extension StorageFault {
    /// What is wrong; `nil` if the error code says it.
    var text: Words? {
        switch self {
        case .openFile: Words("others may open a file of it", "d'autres peuvent ouvrir un de ses fichiers")
        case .openFolder: Words("others may enter its folder", "d'autres peuvent entrer dans son dossier")
        case .foreignFile: Words("a file of it is another user's", "un de ses fichiers est à un autre")
        case .foreignFolder: Words("its folder is another user's", "son dossier est à un autre")
        case .linkedFile: Words("a link lies in the place of a file", "un lien est à la place d'un fichier")
        case .linkedFolder: Words("a link lies in the folder's place", "un lien est à la place du dossier")
        case .secondName: Words("a file of it has a second name", "un de ses fichiers a un second nom")
        case .noFile: Words("something else lies in a file's place", "autre chose est à la place d'un fichier")
        case .noFolder: Words("a file lies in the folder's place", "un fichier est à la place du dossier")
        case .readOnly: Words("it can't be written", "il ne peut être écrit")
        case .forbidden: Words("the system does not let you in", "le système vous en refuse l'accès")
        case .notOpened: Words("it can't be opened", "il ne peut être ouvert")
        case .tooManyFiles: Words("too many files are open", "trop de fichiers sont ouverts")
        case .noLocks: Words("its file system has no locks", "son système de fichiers n'a pas de verrous")
        case .noSharedMemory:
            Words("its file system shares no memory", "son système de fichiers ne partage pas de mémoire")
        case .outOfMemory: Words("there is no memory left", "il n'y a plus de mémoire")
        case .diskFailed: Words("the disk reported an error", "le disque signale une erreur")
        case .unnamed: nil
        }
    }

    /// How to fix it; `nil` if the code's own hint is as good.
    var hint: Words? {
        switch self {
        case .openFile:
            Words(
                "close it to others: `chmod 600` on each file there",
                "fermez-les aux autres : `chmod 600` sur chacun"
            )
        case .openFolder:
            Words("close it to others: `chmod 700` on the folder", "fermez-le aux autres : `chmod 700` sur le dossier")
        case .foreignFile, .foreignFolder:
            Words("run the command as its owner, or give it back with `chown`", "agissez en propriétaire, ou `chown`")
        case .linkedFile, .noFile:
            Words("put the file itself there; what lies there was left as it is", "remettez-y le fichier lui-même")
        case .linkedFolder, .noFolder:
            Words("name the folder itself: --vault DIR", "nommez le dossier lui-même : --vault DOSSIER")
        case .secondName:
            Words("`find / -samefile FILE` finds it: remove it", "`find / -samefile FICHIER` le trouve : supprimez-le")
        case .readOnly, .forbidden, .notOpened:
            Words(
                "see with `ls -ld` whether file, folder and disk are yours to write",
                "voyez avec `ls -ld` si fichier, dossier et disque vous sont ouverts en écriture"
            )
        case .tooManyFiles: Words("raise `ulimit -n`", "augmentez `ulimit -n`")
        case .noLocks, .noSharedMemory:
            Words(
                "keep the vault on a disk of this machine: --vault DIR; a network disk can hold its backups",
                "gardez le coffre sur un disque de cette machine : --vault DOSSIER ; un disque réseau peut porter ses sauvegardes"
            )
        case .outOfMemory:
            Words("raise `ulimit -v`, or end other programs", "augmentez `ulimit -v`, ou fermez d'autres programmes")
        case .diskFailed: Words("look after the disk: `dmesg` tells more", "voyez le disque : `dmesg` en dit plus")
        case .unnamed: nil
        }
    }
}
