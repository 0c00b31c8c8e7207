import ThumbturnConsole
import ThumbturnService

extension Failure {
    /// Converts what is wrong with the value of `--signer`.
    init(_ error: SignerLocationError) {
        let words =
            switch error {
            case .scheme:
                Words(
                    "--signer must be file:PATH or a PKCS#11 URI, pkcs11:…",
                    "--signer doit être file:CHEMIN ou une URI PKCS#11, pkcs11:…"
                )
            case .malformed:
                Words(
                    "--signer is not a URI as in RFC 7512: other characters than letters, digits and -._~ need a %",
                    "--signer n'est pas une URI selon RFC 7512 : hors lettres, chiffres et -._~ un caractère demande un %"
                )
            case .unknownAttribute:
                Words(
                    """
                    a PKCS#11 URI has token, object, id, serial, model, manufacturer, type=private, and behind ? module-path \
                    and pin-source, each once
                    """,
                    """
                    une URI PKCS#11 a token, object, id, serial, model, manufacturer, type=private, et après ? module-path et \
                    pin-source, chacun une fois
                    """
                )
            case .incomplete:
                Words(
                    "a PKCS#11 URI needs token, object or id, and module-path",
                    "une URI PKCS#11 demande token, object ou id, et module-path"
                )
            case .relativePath:
                Words(
                    "module-path and pin-source must be paths from the root",
                    "module-path et pin-source doivent être des chemins depuis la racine"
                )
            case .pinInside:
                Words(
                    "pin-value would show the PIN to every user of this machine; write it to a file, and name that: pin-source",
                    "pin-value montrerait le code à tout utilisateur de la machine ; mettez-le dans un fichier : pin-source"
                )
            }
        self = .usage(words)
    }
}
