#if canImport(SwiftUI) && canImport(UIKit)
import Combine
import Foundation
import SwiftUI
public import ThumbturnCrypto
import ThumbturnRules
public import UIKit

/// Shows a secret in UIKit, such as a wallet's words or a recovery key, until it is cleared.
///
/// Words are numbered, one below the other. It is hidden while the screen is recorded, and forgotten when the app is not in
/// front, and when it leaves its window. VoiceOver reads it, as on `WordsScreen`.
@MainActor public final class SecretTextView: UIView {
    let inside: UIHostingController<SecretLines>
    private let note: SecretNote
    private var events: HostEvents?

    /// Creates a view that shows nothing.
    public init() {
        let note = SecretNote()
        self.note = note
        inside = UIHostingController(rootView: SecretLines(note: note))
        super.init(frame: CGRect())
        inside.view.frame = bounds
        inside.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        addSubview(inside.view)
        events = HostEvents(of: .application) { [weak self] phase in if phase != .active { self?.clear() } }
    }

    /// Not from a storyboard: it is given what it shows.
    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    /// Shows a secret, which is text, in place of the one before.
    public func show(_ secret: consuming SecretBytes) { note.words = HeldWords(secret) }

    /// Forgets the secret.
    public func clear() { note.words = nil }

    /// Forgets the secret when the window is left.
    public override func didMoveToWindow() {
        super.didMoveToWindow()
        if window == nil { clear() }
    }
}

@MainActor final class SecretNote: ObservableObject {
    @Published var words: HeldWords?
}

struct SecretLines: View {
    @ObservedObject var note: SecretNote
    /// The words of the shortest mnemonic; a key has fewer groups.
    private static let fewestWords = 12

    var body: some View {
        if let words = note.words {
            VStack(alignment: .leading, spacing: 8) {
                if words.count >= Self.fewestWords {
                    // A word is short enough for its `String` to have no memory of its own.
                    ForEach(1..<words.count + 1, id: \.self) { place in
                        WordRow(place: place, word: words.withWord(at: place) { $0.shownText } ?? "")
                    }
                } else {
                    Text(verbatim: words.withText { $0.shownText }).font(.headline)
                }
            }
            .hiddenWhileCaptured()
        }
    }
}
#endif
