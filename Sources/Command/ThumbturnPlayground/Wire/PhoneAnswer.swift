import ThumbturnJSON

/// A line that the phone sends to the server.
enum PhoneAnswer: Sendable {
    /// The answer to the line with this number; with a secret beside it, or not.
    case answer(JSON, to: Int64, givesSecret: Bool)
    /// What the page shows from now on.
    case state(JSON)

    /// Reads a line; `nil` for one that no phone of this version sends.
    init?(reading bytes: [UInt8]) {
        guard let json = try? JSON(reading: bytes, byteLimit: 4 << 20, depthLimit: 16) else { return nil }
        if let state = json["state"] {
            self = .state(state)
        } else if let answer = json["answer"], case .integer(let id)? = json["id"] {
            self = .answer(answer, to: id, givesSecret: answer["secret"] != nil)
        } else {
            return nil
        }
    }

    /// The line, with its end.
    var bytes: [UInt8] {
        let json: JSON =
            switch self {
            case .answer(let answer, let id, _): ["answer": answer, "id": .integer(id)]
            case .state(let state): ["state": state]
            }
        return Array(json.wireText.utf8) + [UInt8(ascii: "\n")]
    }
}
