import ThumbturnConsole

extension Words {
    /// Translates the library's English diagnostic.
    ///
    /// The French is empty for diagnostics that are not about the user's input.
    init(diagnostic text: String) { self.init(text, Self.french[text] ?? Self.counted(text) ?? "") }

    /// Translates a thing with a number, such as `word 3` or `3 words`.
    private static func counted(_ text: String) -> String? {
        let words = text.split(separator: " ").map(String.init)
        if words.count == 3, words[0] == "misnumbered" { return "numéro faux devant le mot \(words[2])" }
        if text.hasSuffix(" words, not all of the English list") {
            return "\(words[0]) mots, pas tous de la liste anglaise"
        }
        guard words.count == 2 else { return nil }
        if Int(words[1]) != nil, let name = places[words[0]] { return "\(name) \(words[1])" }
        if Int(words[0]) != nil, let name = counts[words[1]] { return "\(words[0]) \(name)" }
        return nil
    }

    private static let places = ["word": "mot", "character": "caractère"]
    private static let counts = ["words": "mots", "digits": "chiffres", "bytes": "octets"]

    private static let french = [
        "too long": "trop long", "too short": "trop court", "size": "longueur", "checksum": "somme de contrôle",
        "empty": "vide", "white space or a mark at an end": "espace ou signe au début ou à la fin",
        "not shown": "caractère invisible", "zero": "zéro", "not one run of digits": "pas d'un seul tenant",
        "not hexadecimal": "pas en hexadécimal", "cut short": "tronqué", "not base64": "pas en base64",
        "more than an object": "plus qu'un objet", "a name comes twice": "un nom y est deux fois",
        "not JSON": "pas de JSON", "not plain text": "pas un texte simple",
        "a number too large": "un nombre trop grand",
        "no whole number": "pas un entier", "nothing in it": "vide", "no known format": "format inconnu",
        "the version is no number": "la version n'est pas un nombre", "no known version": "version inconnue",
        "older than salts": "sans sel",
        "salt and iv are 32 hexadecimal digits": "sel et iv ont 32 chiffres hexadécimaux",
        "a field too many": "un champ de trop", "the vault has no wallet": "le coffre n'a pas de portefeuille",
        "a pin that is not the base64 of 32 bytes": "une clé qui n'est pas la base64 de 32 octets",
        "an authority's file that can't be read": "un fichier de certificats illisible",
        "an authority's file without a certificate": "un fichier de certificats sans certificat",
        "a service's address is https://HOST[:PORT], without a path":
            "l'adresse d'un service est https://HÔTE[:PORT], sans chemin",
        "it asks for a wait that makes no sense": "il demande une attente qui n'a pas de sens",
        "an authority or a pin, and no TLS": "des certificats ou une clé, et pas de TLS",
        "the account lists no such device beside this one": "le compte n'a pas d'autre appareil de ce nom",
        "the service knows no such device": "le service ne connaît pas cet appareil",
        "the former password still counts": "l'ancien mot de passe compte encore",
        "nothing is in it": "il n'y a rien dedans", "a JSON object": "un objet JSON", "a JSON list": "une liste JSON",
        "a JSON string": "une chaîne JSON", "an extended key (xprv)": "une clé étendue (xprv)",
        "a private key (WIF)": "une clé privée (WIF)", "hexadecimal digits": "des chiffres hexadécimaux",
        "a text": "un texte", "bytes that are no text": "des octets qui ne sont pas du texte",
        "or what is in it is no text": "ou le contenu n'est pas du texte",
    ]
}
