import ThumbturnJSON
import ThumbturnRules

/// An action that a screen offers now, and the label of its button.
///
/// What the owner has to type is empty in it: the host puts it in.
struct ScreenOffer {
    let action: ScreenAction
    let label: Words

    func json(in language: Language) -> JSON {
        ["action": action.json, "label": .string(label.in(language))]
    }
}
