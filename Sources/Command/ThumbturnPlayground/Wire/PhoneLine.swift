import ThumbturnJSON

/// A line that the server sends to the phone: what is asked, and a number that its answer has too.
struct PhoneLine: Sendable {
    /// What is asked.
    enum Order: Sendable {
        /// An action of a screen.
        case act(PhoneAction)
        /// Words of `simulate`.
        case world(String)
        /// The export that was made last; no secret.
        case export
        /// PINs to try on a copy of the vault; they come beside it, with line ends between.
        case thief
    }

    let id: Int64
    let order: Order

    /// Whether a secret comes beside it.
    var takesSecret: Bool {
        switch order {
        case .act(let action): action.takesSecret
        case .thief: true
        case .world, .export: false
        }
    }

    init(_ id: Int64, _ order: Order) { (self.id, self.order) = (id, order) }

    /// Reads a line; `nil` for one that no server of this version sends.
    init?(reading bytes: [UInt8]) {
        guard let json = try? JSON(reading: bytes, byteLimit: 1 << 14), case .object(let members) = json,
            members.count == 2, case .integer(let id)? = json["id"]
        else { return nil }
        self.id = id
        if let act = json["act"], let action = try? PhoneAction(act) {
            order = .act(action)
        } else if case .string(let word)? = json["world"] {
            order = .world(word)
        } else if json["export"] != nil {
            order = .export
        } else if json["thief"] != nil {
            order = .thief
        } else {
            return nil
        }
    }

    /// The line, with its end.
    var bytes: [UInt8] {
        let order: (String, JSON) =
            switch order {
            case .act(let action): ("act", action.json)
            case .world(let word): ("world", .string(word))
            case .export: ("export", [:])
            case .thief: ("thief", ["secret": .string("taken")])
            }
        return Array(JSON.object([order, ("id", .integer(id))]).wireText.utf8) + [UInt8(ascii: "\n")]
    }
}
