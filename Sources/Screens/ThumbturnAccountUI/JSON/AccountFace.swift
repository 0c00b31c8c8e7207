import ThumbturnRules
import ThumbturnScreenJSON

/// The words of an account's screen as `AccountPage` shows them: the service's wait, and either that it is being asked,
/// or the present question.
struct AccountFace {
    var face: ScreenFace
    private let language: Language
    private let wait: Countdown?

    /// - Parameter question: adds what the screen asks while no call is in progress.
    static func face(
        _ title: Words,
        wait: Countdown?,
        isBusy: Bool,
        in language: Language,
        question: (inout AccountFace) -> Void
    ) -> ScreenFace {
        var page = AccountFace(face: ScreenFace(title: title), language: language, wait: wait)
        if let wait { page.face.texts.append(Words.tryAgainIn.in(language, wait.text)) }
        if isBusy { page.say(.askingService) } else { question(&page) }
        return page.face
    }

    mutating func say(_ words: Words) { face.texts.append(words.in(language)) }

    mutating func say(_ words: Words, _ argument: String) { face.texts.append(words.in(language, argument)) }

    mutating func offer(_ action: AccountScreenAction, _ label: Words) { face.offer(action, label) }

    /// Asks for a password; while the service asks to wait there is nothing to send.
    ///
    /// - Parameters:
    ///   - title: which password.
    ///   - action: what it is for.
    mutating func ask(for title: Words, _ action: AccountScreenAction) {
        say(title)
        if wait == nil { offer(action, title == .enterPassword ? .unlock : .send) }
    }
}
