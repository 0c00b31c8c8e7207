import Glibc
import ThumbturnConsole

/// The playground has three faces: the server with the page, and the phone and the keeper, which the server starts.
@main
enum Main {
    static func main() async {
        Hardening.apply()
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case (PhoneFace.word, 2...3): exit(await PhoneFace.run(arguments[1], service: arguments.dropFirst(2).first))
        case (KeeperFace.word, 1...2): exit(KeeperFace.run(program: arguments.dropFirst().first))
        default: break
        }
        StopSignals.block()
        exit(serve(arguments))
    }

    /// - Returns: the exit code of design section 8.
    private static func serve(_ arguments: [String]) -> Int32 {
        let output = Output(
            of: "thumbturn-playground",
            environment: .read(with: []),
            isJSON: arguments.contains("--json"),
            hints: Hints(
                unwritten: Words("the playground has ended", "le terrain de jeu est fermé"),
                complete: { $0 },
                hint: { $0.hint ?? Words("see `thumbturn help playground`", "voir `thumbturn help playground`") }
            )
        )
        do throws(Failure) {
            try PlaygroundServer(options: PlaygroundOptions(arguments), output: output).run()
            return 0
        } catch {
            return output.report(error)
        }
    }
}
