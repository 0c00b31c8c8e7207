/// What the screen with a wallet's words shows (K-05).
///
/// Contains no word; the model lends them while they are shown.
public struct WordsFields: Hashable, Sendable {
    /// The progress of writing the words down.
    @nonexhaustive
    public enum Step: Hashable, Sendable, CaseIterable {
        /// The owner's secret is asked for, or in system mode a button shows the system's prompt.
        case secret
        /// The words are shown, to be written down.
        case words
        /// One of the words is asked for, by its place.
        case question
        /// Every answer was right.
        case done
    }

    /// The progress of writing the words down.
    public let step: Step
    /// The place of the word that is asked for, from 1; nil in other steps.
    public let place: Int?
    /// How many words are still asked for, with this one.
    public let questionsLeft: Int
    /// The place whose answer was wrong just now, from 1.
    public let wrongPlace: Int?
    /// Whether the screen is being recorded or shown elsewhere, so that no word may be on it.
    public let isHidden: Bool
    /// Whether the system's prompt proves the owner, and there is no PIN or password.
    public let asksSystem: Bool
    /// Whether a call is in progress, or the vault is still being read.
    public let loading: Bool
    /// The refusal of the last call, until the next one.
    public let error: UserError?
}

extension WordsFields {
    /// The facts that the vault does not know.
    public struct Surroundings: Hashable, Sendable {
        /// The progress of writing the words down.
        public var step: Step
        /// The places still asked for, from 1, the present one first.
        public var places: [Int]
        /// The place whose answer was wrong just now.
        public var wrongPlace: Int?
        /// Whether the screen is being recorded or shown elsewhere.
        public var isCaptured = false
        /// The language of messages.
        public var language: Language
        /// Whether a call is in progress.
        public var isBusy = false
        /// The refusal of the last call.
        public var refusal: ErrorCode?

        /// Creates the facts from progress and language; set the others as needed.
        public init(step: Step = .secret, places: [Int] = [], language: Language = .english) {
            self.step = step
            self.places = places
            self.language = language
        }
    }

    /// Derives what to show of a vault; nil is a vault that is still being read.
    public init(_ snapshot: VaultSnapshot?, _ around: Surroundings) {
        step = around.step
        place = step == .question ? around.places.first : nil
        questionsLeft = step == .question ? around.places.count : 0
        wrongPlace = around.wrongPlace
        isHidden = around.isCaptured
        asksSystem = snapshot?.mode == .system
        loading = around.isBusy || snapshot == nil
        error = snapshot.flatMap { snapshot in
            around.refusal.map { UserError($0, snapshot, in: around.language) }
        }
    }
}

extension WordsFields {
    /// How many words are asked back.
    package static let questionCount = 3

    /// Draws the places that are asked back, from 1 and in ascending order.
    ///
    /// - Parameter count: how many words there are; with fewer than three, every place is drawn.
    package static func drawPlaces(of count: Int, using random: inout some RandomNumberGenerator) -> [Int] {
        guard count > 0 else { return [] }
        return (1...count).shuffled(using: &random).prefix(questionCount).sorted()
    }
}
