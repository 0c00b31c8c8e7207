package import ThumbturnJSON
package import ThumbturnRules

extension Words {
    /// Every text of the screens in one language, under its English text, which is its key in the string catalogue too.
    package static func json(in language: Language) -> JSON {
        let texts = Set(ours).map { ($0.english, JSON.string($0.in(language))) }
        return .sorted(Dictionary(texts) { first, _ in first }.map { ($0.key, $0.value) })
    }
}
