import Thumbturn
import ThumbturnConsole

// Help texts of audit.
extension CommandText {
    static let showTrail = CommandText(
        Words(
            "show what happened to the vault, newest last",
            "montrer ce qui est arrivé au coffre, le plus récent en dernier"
        ),
        more: Words(
            """
            No secret is needed. It shows the newest \(TrailReport.usualCount) events, or --all; a `+` marks failures that are only \
            counted yet. Times are this device's, which may have been set; the numbers are in order. If an event is missing or \
            damaged, the list ends there, and the exit code is 4. Another chain begins after 10,000 events, and where the former \
            one can't be continued: the first line then says why.
            """,
            """
            Aucun secret n'est demandé. La commande montre les \(TrailReport.usualCount) derniers événements, ou tous avec --all ; un \
            `+` marque des échecs seulement comptés jusqu'ici. Les heures sont celles de cet appareil, qui a pu être réglé ; les \
            numéros se suivent. Si un événement manque ou est abîmé, la liste s'arrête là, et le code de sortie est 4. Un autre \
            journal commence après 10 000 événements, et quand l'ancien ne peut continuer : la première ligne dit alors pourquoi.
            """
        ),
        examples: ["thumbturn audit log", "thumbturn audit log --all --json"]
    )
    static let pushTrail = CommandText(
        Words("send the trail to the account's log", "envoyer le journal au registre du compte"),
        more: Words(
            """
            An account's service keeps a log of what happened on all its devices. Account commands send what is new; this sends \
            all that waits, and tries again what the service refused. No secret is needed, and nothing is erased. An event counts \
            as sent once the service proved, with the log's key, that the log has it. Exits with 3 if the service can't take all \
            now (the rest waits, and nothing is lost), and with 4 if what it signed does not hold.
            """,
            """
            Le service d'un compte tient un registre de ce qui arrive à tous ses appareils. Les commandes du compte envoient ce \
            qui est nouveau ; celle-ci envoie tout ce qui attend, et réessaie ce que le service a refusé. Aucun secret n'est \
            demandé, et rien n'est effacé. Un événement compte comme envoyé quand le service a prouvé, avec la clé du registre, \
            qu'il y figure. Code de sortie 3 si le service ne peut tout prendre (le reste attend, rien n'est perdu), 4 si ce \
            qu'il a signé ne tient pas.
            """
        ),
        examples: ["thumbturn audit push"]
    )
    static let exportTrail = CommandText(
        Words("write the trail as a signed file", "écrire le journal dans un fichier signé"),
        secrets: [pin],
        more: Words(
            """
            The device signs it, and `audit verify` needs nothing else. FILE must be new; it appears whole or not at all. \
            --former writes the trail before this one. If an event is missing or damaged, the file has what stands before it, \
            the exit code is 4, and another trail begins. It has no secret and names no wallet.
            """,
            """
            L'appareil le signe, et `audit verify` ne demande rien d'autre. FICHIER doit être nouveau ; il apparaît entier ou \
            pas du tout. --former écrit le journal d'avant. Si un événement manque ou est abîmé, le fichier a ce qui précède, \
            le code de sortie est 4, et un autre journal commence. Il ne contient aucun secret et ne nomme aucun portefeuille.
            """
        ),
        examples: ["thumbturn audit export trail.jsonl", "thumbturn audit export former.jsonl --former"]
    )
    static let verifyTrail = CommandText(
        Words("check an exported trail", "vérifier un journal exporté"),
        more: Words(
            """
            FILE is the export of a device, or of a service's log of many devices. It needs no vault and no secret; `-` is \
            standard input. Each PUB is a PEM file with public keys of devices or logs: the export must be by one of them; of a \
            log whose keys were rotated, the first. Without --key, compare the fingerprint with `thumbturn status` on the \
            device, or ask the log's operator. If anything was changed, cut or exchanged, the exit code is 4, and the first \
            broken event is named; 2 if it is no export. What a reader should know of one that is whole stands in remarks. Where \
            there is a vault, a service's export is held against the last signed head that it keeps of its account's log: a log \
            that showed this device other events exits with 4 too; keep that file.
            """,
            """
            FICHIER est l'export d'un appareil, ou du registre d'un service, qui en réunit beaucoup. Ni coffre ni secret ne sont \
            nécessaires ; `-` est l'entrée standard. Chaque PUB est un fichier PEM avec des clés publiques d'appareils ou de \
            registres : l'export doit venir de l'une d'elles ; d'un registre dont les clés ont tourné, de la première. Sans \
            --key, comparez l'empreinte avec `thumbturn status` sur l'appareil, ou demandez à l'exploitant du registre. Si quoi \
            que ce soit a été modifié, coupé ou échangé, le code de sortie est 4, et le premier événement rompu est nommé ; 2 si \
            ce n'est pas un export. Ce qu'il faut savoir d'un export entier est dans des remarques. S'il y a un coffre, l'export \
            d'un service est comparé à la dernière tête signée que le coffre garde du registre de son compte : un registre qui a \
            montré d'autres événements à cet appareil donne aussi 4 ; gardez ce fichier.
            """
        ),
        examples: [
            "thumbturn audit verify trail.jsonl", "thumbturn audit verify trail.jsonl --key phone.pem --key tablet.pem",
            "thumbturn audit verify - < trail.jsonl", "thumbturn audit verify all.jsonl --key audit.pem",
        ]
    )
}
