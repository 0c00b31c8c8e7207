import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnScreenJSON
import ThumbturnSimulator

/// What the server answers at each path, to a request that the gate permits.
struct Site: Sendable {
    private let gate: Monitor<Gate?>
    private let board: Board
    private let house: PhoneHouse
    private let keeper: Keeper

    /// - Parameter gate: the gate, once the port is known; no request comes before.
    init(_ gate: Monitor<Gate?>, _ board: Board, _ house: PhoneHouse, _ keeper: Keeper) {
        (self.gate, self.board, self.house, self.keeper) = (gate, board, house, keeper)
    }

    /// The answer to a refusal by server or router.
    static let refuse: @Sendable (Refusal) -> HTTPResponse = { $0.problem.guarded }

    /// The table of the paths.
    var router: Router<Void> {
        let files = PageFile.allCases.filter { $0 != .html }.map { file in
            Self.route(.get, file.path) { _ in .now(file.response) }
        }
        return Router(
            files + [
                Self.route(.get, "/", handler: enter),
                Self.route(.get, "/state", handler: state),
                Self.route(.post, "/act", maximumBody: 16_384, handler: act),
                Self.route(.post, "/world", maximumBody: 1_024, handler: world),
                Self.route(.post, "/kill", maximumBody: 64, handler: kill),
                Self.route(.post, "/start", maximumBody: 64, handler: start),
                Self.route(.post, "/verify", maximumBody: 512 << 10, handler: verify),
                Self.route(.post, "/thief", maximumBody: 8_192, handler: rob),
            ],
            problem: Self.refuse
        )
    }

    private static func route(
        _ method: HTTPMethod,
        _ path: String,
        maximumBody: Int = 0,
        handler: @escaping @Sendable (HTTPRequest) -> HTTPAnswer
    ) -> Route<Void> {
        let document = Operation(path, path, answers: [])
        return Route(method, path, maximumBody: maximumBody, document: document) { request, _ in handler(request) }
    }
}

// What is read.
extension Site {
    /// The page; or the cookie, for the token in the address, and the way to the page without it.
    private func enter(_ request: HTTPRequest) -> HTTPAnswer {
        guard request.query != nil, let gate = gate.change({ $0 }) else { return .now(PageFile.html.response) }
        return .now(HTTPResponse(status: 303, headers: [("Location", "/"), gate.setCookie()]).guarded)
    }

    private func state(_ request: HTTPRequest) -> HTTPAnswer {
        let items = request.queryItems
        guard let item = items.first else { return board.answer(after: nil) }
        guard items.count == 1, item.name == "after", let revision = item.value.flatMap(Int64.init) else {
            return .now(Body.refused(.member))
        }
        return board.answer(after: revision)
    }
}

// What is done.
extension Site {
    private func act(_ request: HTTPRequest) -> HTTPAnswer {
        let order: (PhoneAction, HeldSecret?)
        do throws(BodyError) { order = try Body.action(request.body) } catch { return .now(Body.refused(error)) }
        return ask(.act(order.0), order.1)
    }

    private func world(_ request: HTTPRequest) -> HTTPAnswer {
        let word: String
        do throws(BodyError) { word = try Body.text("word", in: request.body) } catch {
            return .now(Body.refused(error))
        }
        if FormerWallet(words: word) != nil { return ask(.world(word)) }
        if let word = ServiceWord(rawValue: word) {
            // A service takes a moment to start or to end.
            return .later { [self] reply in Self.apart(reply) { move(word) } }
        }
        guard let event = SimulatedEvent(words: word) else { return .now(Body.refused(.word)) }
        guard event.endsApp else { return ask(.world(word)) }
        return .later { [house] reply in
            house.ask(.world(word)) { response in
                // The answer comes on the thread that listens to the phone, which has to see its end.
                Self.apart(reply) { Self.restart(house, answering: response) }
            }
        }
    }

    private func kill(_ request: HTTPRequest) -> HTTPAnswer {
        do throws(BodyError) { _ = try Body.choice(in: request.body) } catch { return .now(Body.refused(error)) }
        house.kill()
        return .now(.answer(["error": .null]))
    }

    /// Starts the app; with `{"new":true}` on a phone that has nothing, with `{"account":true}` on one that has nothing
    /// and asks a service without accounts.
    private func start(_ request: HTTPRequest) -> HTTPAnswer {
        let kind: String?
        do throws(BodyError) { kind = try Body.choice("new", "account", in: request.body) } catch {
            return .now(Body.refused(error))
        }
        guard kind != "account" || keeper.hasService else {
            return .now(.problem(409, "SERVICE_MISSING", "thumbturnd is not installed beside this program"))
        }
        // A service takes a moment to start, and so does the end of a phone.
        return .later { [self] reply in Self.apart(reply) { start(kind) } }
    }

    private func start(_ kind: String?) -> HTTPResponse {
        switch kind {
        case "account":
            let isStarted = keeper.renewService { service in
                house.renew(service: service)
                board.show(isServiceAway: false)
            }
            guard isStarted else { return Self.serviceNotStarted }
        case nil: break
        default: house.renew(service: nil)
        }
        return Self.restart(house, answering: .answer(["error": .null]), killing: false)
    }

    /// Takes the account service away, or brings it back.
    private func move(_ word: ServiceWord) -> HTTPResponse {
        guard keeper.moveService(word, { board.show(isServiceAway: word == .away) }) else {
            return Self.serviceNotStarted
        }
        return .answer(["error": .null])
    }

    private static var serviceNotStarted: HTTPResponse {
        .problem(503, "SERVICE_NOT_STARTED", "thumbturnd can't be started, or was not")
    }

    private func verify(_ request: HTTPRequest) -> HTTPAnswer {
        let export: String?
        do throws(BodyError) { export = try Body.optionalText("export", in: request.body) } catch {
            return .now(Body.refused(error))
        }
        guard let export else { return ask(.export) }
        return .now(.answer(Finding(export).json))
    }

    private func rob(_ request: HTTPRequest) -> HTTPAnswer {
        let pins: HeldSecret
        do throws(BodyError) { pins = try Body.pins(request.body) } catch { return .now(Body.refused(error)) }
        return ask(.thief, pins)
    }

    private func ask(_ order: PhoneLine.Order, _ secret: HeldSecret? = nil) -> HTTPAnswer {
        .later { [house] reply in house.ask(order, secret) { reply($0) } }
    }

    /// Restarts the app, and returns the answer to whoever caused it.
    private static func restart(
        _ house: PhoneHouse,
        answering response: HTTPResponse,
        killing: Bool = true
    ) -> HTTPResponse {
        if killing { house.kill() }
        do throws(Failure) {
            try house.start()
            return response
        } catch {
            return .problem(503, "PHONE_NOT_STARTED", "the phone can't be started")
        }
    }

    /// Gives an answer on a thread of its own.
    private static func apart(_ reply: HTTPReply, _ body: @escaping @Sendable () -> HTTPResponse) {
        guard let thread = SystemThread({ reply(body()) }) else { return }
        thread.detach()
    }
}
