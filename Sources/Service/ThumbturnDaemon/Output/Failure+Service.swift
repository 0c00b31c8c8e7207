import ThumbturnConsole
import ThumbturnHTTP
import ThumbturnService

extension Failure {
    init(_ error: StoreError) {
        switch error {
        case .unavailable, .uncertain:
            self.init(
                .storageUnavailable,
                statement: Words("The database can't be reached.", "La base ne répond pas."),
                hint: Words("look at --store, and whether it runs", "vérifiez --store, et si elle tourne")
            )
        case .busy:
            self.init(
                .busy,
                statement: Words("Others kept the database for too long.", "D'autres ont tenu la base trop longtemps."),
                hint: Words("try again", "réessayez")
            )
        case .absent:
            self.init(
                .storageUnavailable,
                statement: Words("There is no database.", "Il n'y a pas de base."),
                hint: Words("name it: --store STORE", "nommez-la : --store STORE")
            )
        case .folderMissing:
            self.init(
                .storageUnavailable,
                statement: Words("The database's folder is not there.", "Le dossier de la base n'est pas là."),
                hint: Words(
                    "look at --store, or make the folder: `mkdir -m 700`",
                    "vérifiez --store, ou créez le dossier : `mkdir -m 700`"
                )
            )
        case .full: self.init(.diskFull)
        case .keyMissing: self = .wrongServiceKey
        case .newerFormat:
            self.init(
                .vaultNewer,
                statement: Words("A newer version made the database.", "Une version plus récente a créé la base."),
                hint: Words("run that version", "lancez cette version")
            )
        case .unsafeFile:
            self.init(
                .vaultUnsafe,
                statement: Words(
                    "Others could read or replace the database's file or folder.",
                    "D'autres pourraient lire ou remplacer le fichier ou dossier de la base."
                ),
                hint: Words(
                    "give it to this user alone: chmod 700 of the folder, 600 of the file",
                    "donnez-le à cet utilisateur seul : chmod 700 du dossier, 600 du fichier"
                )
            )
        case .conflict, .damaged, .tampered, .other:
            self.init(
                .vaultDamaged,
                statement: Words(
                    "The database is not what this program wrote.",
                    "La base n'est pas ce que ce programme a écrit."
                )
            )
        }
    }

    init(_ error: ServiceKeyError) {
        switch error {
        case .absent:
            self.init(
                .storageUnavailable,
                statement: Words("The service key is not there.", "La clé de service n'est pas là."),
                hint: Words(
                    "put its copy back, or name its file: --service-key FILE",
                    "remettez-en la copie, ou nommez son fichier : --service-key FICHIER"
                )
            )
        case .taken:
            self.init(
                .fileExists,
                statement: Words("There is a service key already.", "Il y a déjà une clé de service."),
                hint: Words(
                    "it stays as it is; `thumbturnd service-key rotate` puts a new one in its place",
                    "elle reste telle quelle ; `thumbturnd service-key rotate` en met une nouvelle à sa place"
                )
            )
        case .folderMissing:
            self.init(
                .storageUnavailable,
                statement: Words(
                    "The folder for the service key is not there.",
                    "Le dossier de la clé de service n'est pas là."
                ),
                hint: Words(
                    "look at --service-key, or make the folder: `mkdir -m 700`",
                    "vérifiez --service-key, ou créez le dossier : `mkdir -m 700`"
                )
            )
        case .unsafeFile:
            self.init(
                .vaultUnsafe,
                statement: Words(
                    "Others could read or replace the service key, or its folder.",
                    "D'autres pourraient lire ou remplacer la clé de service, ou son dossier."
                ),
                hint: Words(
                    "give it to this user alone: chmod 700 of the folder, 600 of the file",
                    "donnez-le à cet utilisateur seul : chmod 700 du dossier, 600 du fichier"
                )
            )
        case .damaged:
            self.init(
                .vaultDamaged,
                statement: Words(
                    "The file of the service key is damaged.",
                    "Le fichier de la clé de service est abîmé."
                ),
                hint: Words("put its copy back", "remettez-en la copie")
            )
        case .busy:
            self.init(
                .busy,
                statement: Words(
                    "Another process changes the service key.",
                    "Un autre processus change la clé de service."
                ),
                hint: Words("try again", "réessayez")
            )
        case .system(let number):
            self.init(errno: number, Words("the file of the service key", "le fichier de la clé de service"))
        }
    }

    /// Converts an error of starting the server.
    init(_ error: HTTPError, _ address: ListenAddress) {
        let place = "\(address.host):\(address.port)"
        switch error {
        case .unknownHost, .cannotListen:
            self.init(
                .storageUnavailable,
                statement: Words("Nothing can listen at \(place).", "Impossible d'écouter sur \(place)."),
                hint: Words(
                    "another program may: name another --listen",
                    "un autre programme y est peut-être : autre --listen"
                )
            )
        case .certificate:
            self.init(
                .usage,
                statement: Words(
                    "The certificate or its key can't be read, or they don't belong together.",
                    "Le certificat ou sa clé est illisible, ou ils ne vont pas ensemble."
                ),
                hint: Words(
                    "both are PEM; the chain begins with the server's own",
                    "tous deux en PEM ; la chaîne commence par celui du serveur"
                )
            )
        case .noThread:
            self.init(
                .storageUnavailable,
                Words("the system gives no more threads", "le système ne donne plus de threads"),
                hint: Words("raise `ulimit -u`", "augmentez `ulimit -u`")
            )
        case .handler(let error):
            self = (error as? StoreError).map { Failure($0) } ?? Failure(.storageUnavailable)
        }
    }

    /// The failure for a database whose rows are sealed under another key.
    static let wrongServiceKey = Failure(
        .vaultTampered,
        statement: Words(
            "The service key is not the one that belongs to this database.",
            "La clé de service n'est pas celle de cette base."
        ),
        hint: Words(
            "put its own back; without it all accounts are lost",
            "remettez la sienne ; sans elle tous les comptes sont perdus"
        )
    )
}
