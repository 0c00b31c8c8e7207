#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnCrypto
import ThumbturnRules

/// Shows a wallet's words once, to be written down, and asks three of them back (K-05).
///
/// While they are shown, VoiceOver reads each word with its number, as it reads the keys of the PIN pad: who can't see
/// the screen could not write them down otherwise. A word is never an accessibility value, which other programs log,
/// and it is no label any more as soon as it is not shown (P-107-04). Nothing is shown while the screen is recorded.
public struct WordsScreen: View {
    @ObservedObject private var model: WordsModel
    private let finish: @MainActor () -> Void

    /// Shows a model's screen.
    ///
    /// - Parameters:
    ///   - model: the words of one wallet.
    ///   - finish: the owner is done; the app leaves the screen.
    public init(_ model: WordsModel, finish: @escaping @MainActor () -> Void = {}) {
        self.model = model
        self.finish = finish
    }

    /// The model's present step.
    public var body: some View {
        Page(.wordsTitle, error: model.error) { step }
            .tellsCaptures { model.isCaptured = $0 }
            .owned(by: model)
    }

    @ViewBuilder private var step: some View {
        switch model.step {
        case .secret:
            Text(Words.wordsFirst)
            OwnerQuestion(
                model: model,
                asksSystem: model.asksSystem,
                isEnabled: !model.loading,
                enter: { await model.enter($0) },
                enterBySystem: { await model.enterBySystem() }
            )
        case .words:
            words
        case .question:
            question
        case .done:
            Text(Words.wordsDone)
            WideButton(.done, action: finish)
        }
    }

    @ViewBuilder private var words: some View {
        if model.isHidden {
            Text(Words.screenCaptured)
        } else {
            Text(Words.writeWordsDown)
            VStack(alignment: .leading, spacing: 8) {
                ForEach(1..<model.wordCount + 1, id: \.self) { place in
                    // A word is short enough for its `String` to have no memory of its own.
                    WordRow(place: place, word: model.withWord(at: place) { $0.shownText } ?? "")
                }
            }
            .hiddenWhileCaptured()
        }
        WideButton(.wordsWritten) { model.wordsAreWritten() }.disabled(model.isHidden)
        WideButton(.cancel, role: .cancel) { model.cancel() }
    }

    @ViewBuilder private var question: some View {
        if let wrong = model.wrongPlace { Text(Words.wordWrong, "\(wrong)").font(.footnote) }
        if let place = model.place {
            WrittenField(
                question: Text(Words.wordAsked, "\(place)"),
                label: .word,
                isEnabled: !model.loading
            ) { typed in
                model.answer(typed)
            }
        }
        Text(Words.wordsLeft, "\(model.questionsLeft)").font(.footnote)
        WideButton(.cancel, role: .cancel) { model.cancel() }
    }
}

/// A word of a mnemonic, with its number.
struct WordRow: View {
    let place: Int
    let word: String

    var body: some View {
        HStack {
            Text(verbatim: "\(place).")
            Text(verbatim: word).font(.headline)
        }
        .accessibilityElement(children: .combine)
    }
}
#endif
