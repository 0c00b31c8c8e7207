import ThumbturnJSON
import ThumbturnRules

/// An action that a screen offers now, and the label of its button.
///
/// What the owner has to type is empty in it: the host puts it in.
struct ScreenOffer {
    let action: JSON
    let label: Words

    func json(in language: Language) -> JSON {
        ["action": action, "label": .string(label.in(language))]
    }
}
