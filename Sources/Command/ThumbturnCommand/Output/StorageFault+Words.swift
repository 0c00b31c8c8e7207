import Thumbturn
import ThumbturnConsole
import ThumbturnRules

extension StorageFault {
    /// What is wrong; `nil` if the error code says it.
    var text: Words? {
        switch self {
        case .openFile: Words("others can open one of its files", "d'autres peuvent ouvrir un de ses fichiers")
        case .openFolder: Words("others can enter its folder", "d'autres peuvent entrer dans son dossier")
        case .foreignFile: Words("one of its files is another user's", "un de ses fichiers est à un autre utilisateur")
        case .foreignFolder: Words("its folder is another user's", "son dossier est à un autre utilisateur")
        case .linkedFile: Words("there is a link in place of a file", "il y a un lien à la place d'un fichier")
        case .linkedFolder: Words("there is a link in place of the folder", "il y a un lien à la place du dossier")
        case .secondName: Words("one of its files has a second name", "un de ses fichiers a un second nom")
        case .noFile: Words("there is something else in place of a file", "il y a autre chose à la place d'un fichier")
        case .noFolder: Words("there is a file in place of the folder", "il y a un fichier à la place du dossier")
        case .readOnly: Words("it can't be written", "il ne peut être écrit")
        case .forbidden: Words("the system denies you access", "le système vous en refuse l'accès")
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
            Words(
                "run the command as its owner, or change the owner with `chown`",
                "lancez la commande en tant que propriétaire, ou changez-le avec `chown`"
            )
        case .linkedFile, .noFile:
            Words(
                "put the file itself there; what is there now was not touched",
                "remettez-y le fichier lui-même ; ce qui s'y trouve n'a pas été touché"
            )
        case .linkedFolder, .noFolder:
            Words("name the folder itself: --vault DIR", "nommez le dossier lui-même : --vault DOSSIER")
        case .secondName:
            Words("`find / -samefile FILE` finds it: remove it", "`find / -samefile FICHIER` le trouve : supprimez-le")
        case .readOnly, .forbidden, .notOpened:
            Words(
                "check with `ls -ld` that you can write to file, folder and disk",
                "vérifiez avec `ls -ld` que fichier, dossier et disque vous sont ouverts en écriture"
            )
        case .tooManyFiles: Words("raise `ulimit -n`", "augmentez `ulimit -n`")
        case .noLocks, .noSharedMemory:
            Words(
                "keep the vault on a disk of this machine: --vault DIR; its backups can be on a network disk",
                "gardez le coffre sur un disque de cette machine : --vault DOSSIER ; ses sauvegardes peuvent être sur un disque réseau"
            )
        case .outOfMemory:
            Words("raise `ulimit -v`, or close other programs", "augmentez `ulimit -v`, ou fermez d'autres programmes")
        case .diskFailed: Words("check the disk: `dmesg` says more", "vérifiez le disque : `dmesg` en dit plus")
        case .unnamed: nil
        }
    }
}
