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
                hint: Words("check --store, and whether it is running", "vérifiez --store, et si elle tourne")
            )
        case .busy:
            self.init(
                .busy,
                statement: Words("The database was busy for too long.", "La base est restée occupée trop longtemps."),
                hint: Words("try again", "réessayez")
            )
        case .absent:
            self.init(
                .storageUnavailable,
                statement: Words("There is no database.", "Il n'y a pas de base."),
                hint: Words("name it: --store STORE", "nommez-la : --store BASE")
            )
        case .folderMissing:
            self.init(
                .storageUnavailable,
                statement: Words("The database's folder does not exist.", "Le dossier de la base n'existe pas."),
                hint: Words(
                    "check --store, or make the folder: `mkdir -m 700`",
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
                    "close them to other users: chmod 700 for the folder, 600 for the file",
                    "fermez-les aux autres utilisateurs : chmod 700 pour le dossier, 600 pour le fichier"
                )
            )
        case .conflict, .damaged, .tampered, .other:
            self.init(
                .vaultDamaged,
                statement: Words(
                    "The database is not as this program wrote it.",
                    "La base n'est pas telle que ce programme l'a écrite."
                )
            )
        }
    }

    init(_ error: ServiceKeyError) {
        switch error {
        case .absent:
            self.init(
                .storageUnavailable,
                statement: Words("There is no service key.", "Il n'y a pas de clé de service."),
                hint: Words(
                    "put its copy back, or name its file: --service-key FILE",
                    "remettez-en la copie, ou nommez son fichier : --service-key FICHIER"
                )
            )
        case .taken:
            self.init(
                .fileExists,
                statement: Words("There is already a service key.", "Il y a déjà une clé de service."),
                hint: Words(
                    "it was not touched; `thumbturnd service-key rotate` replaces it",
                    "elle n'a pas été touchée ; `thumbturnd service-key rotate` la remplace"
                )
            )
        case .folderMissing:
            self.init(
                .storageUnavailable,
                statement: Words(
                    "The folder for the service key does not exist.",
                    "Le dossier de la clé de service n'existe pas."
                ),
                hint: Words(
                    "check --service-key, or make the folder: `mkdir -m 700`",
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
                    "close them to other users: chmod 700 for the folder, 600 for the file",
                    "fermez-les aux autres utilisateurs : chmod 700 pour le dossier, 600 pour le fichier"
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
                    "Another process is changing the service key.",
                    "Un autre processus est en train de changer la clé de service."
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
                statement: Words("Listening on \(place) is not possible.", "Impossible d'écouter sur \(place)."),
                hint: Words(
                    "another program may be using it: choose another --listen",
                    "un autre programme l'utilise peut-être : choisissez un autre --listen"
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
                    "both must be PEM; the chain begins with the server's certificate",
                    "tous deux doivent être en PEM ; la chaîne commence par le certificat du serveur"
                )
            )
        case .noThread:
            self.init(
                .storageUnavailable,
                Words("the system allows no more threads", "le système n'accorde plus de threads"),
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
            "put the right one back; without it all accounts are lost",
            "remettez la bonne ; sans elle tous les comptes sont perdus"
        )
    )
}
