import Glibc
import ThumbturnConsole
import ThumbturnFiles
import ThumbturnHTTP
import ThumbturnJSON

/// Serves the page on this machine alone, until a signal.
struct PlaygroundServer {
    let options: PlaygroundOptions
    let output: Output

    /// Serves, and leaves no process and no file.
    func run() throws(Failure) {
        let token = Token()
        let program = try Self.ownPath()
        let keeper = try Keeper(program)
        defer { keeper.end() }
        let board = Board(hasService: keeper.hasService)
        let house = PhoneHouse(program, folder: keeper.folder + "/phone", board: board)
        defer { house.end() }
        // Which port it is, is known once it is taken; nothing is admitted before that.
        let gate = Monitor<Gate?>(nil)
        let site = Site(gate, board, house, keeper)
        let router = site.router
        let server = HTTPServer(
            configuration,
            admit: { head in
                gate.change { $0 }?.permits(head) == true ? router.admit(head) : .refused(.forbidden)
            },
            problem: Site.refuse
        ) { _ in
            { request in router.answer(request, in: ()) }
        }
        do throws(HTTPError) { try server.start() } catch { throw Failure(error, port: options.port) }
        defer { server.stop(within: 1) }
        gate.change { $0 = Gate(token, port: server.port) }
        guard let attendant = SystemThread({ board.attend() }) else { throw Failure(.noThread, port: options.port) }
        defer {
            board.end()
            attendant.join()
        }
        try house.start()
        let address = "http://127.0.0.1:\(server.port)/?\(Gate.tokenName)=\(token.text)"
        try output.print(
            Words(
                """
                The playground is open, on the simulated device, which protects nothing. Open this address in a browser; whoever \
                has it may use the page. Control-C ends it.
                \(address)
                """,
                """
                Le terrain de jeu est ouvert, sur l'appareil simulé, qui ne protège rien. Ouvrez cette adresse dans un navigateur ; \
                quiconque l'a peut utiliser la page. Ctrl-C y met fin.
                \(address)
                """
            ),
            json: ["address": .string(address)]
        )
        StopSignals.wait()
    }

    private var configuration: HTTPServer.Configuration {
        var configuration = HTTPServer.Configuration()
        configuration.port = options.port
        configuration.limits.connections = 64
        configuration.limits.outstanding = 256
        configuration.limits.bufferedBytes = 8 << 20
        return configuration
    }

    private static func ownPath() throws(Failure) -> String {
        guard let path = unsafe realpath("/proc/self/exe", nil) else {
            throw Failure(errno: errno, Words("/proc/self/exe"))
        }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}

extension Failure {
    fileprivate init(_ error: HTTPError, port: UInt16) {
        switch error {
        case .unknownHost, .cannotListen:
            self.init(
                .storageUnavailable,
                statement: Words(
                    "Listening on port \(port) is not possible.",
                    "Impossible d'écouter sur le port \(port)."
                ),
                hint: Words(
                    "another program may be using it: choose another --port",
                    "un autre programme l'utilise peut-être : choisissez un autre --port"
                )
            )
        case .certificate, .noThread, .handler:
            self.init(
                .storageUnavailable,
                Words("the system allows no more threads", "le système n'accorde plus de threads"),
                hint: Words("raise `ulimit -u`", "augmentez `ulimit -u`")
            )
        }
    }
}
