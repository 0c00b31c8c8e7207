import ThumbturnConsole

/// What `thumbturn playground` passes on.
struct PlaygroundOptions: Sendable {
    /// The port; 0 takes a free one.
    var port: UInt16 = 0
    var isJSON = false

    init(_ arguments: [String]) throws(Failure) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--json": isJSON = true
            case "--port":
                guard let port = rest.popFirst().flatMap(UInt16.init) else {
                    throw .usage(
                        Words("--port must be a number up to 65535", "--port doit être un nombre jusqu'à 65535")
                    )
                }
                self.port = port
            default:
                throw .usage(
                    Words(
                        "thumbturn-playground takes --port N and --json",
                        "thumbturn-playground prend --port N et --json"
                    )
                )
            }
        }
    }
}
