import Glibc
import ThumbturnConsole

/// The playground has three faces: the server with the page, and the phone and the keeper, which the server starts.
@main
enum Main {
    static func main() async {
        Hardening.apply()
        let arguments = Array(CommandLine.arguments.dropFirst())
        if 2...3 ~= arguments.count {
            let last = arguments.count == 3 ? arguments[2] : nil
            switch arguments[0] {
            case PhoneFace.word: exit(await PhoneFace.run(arguments[1], service: last))
            case KeeperFace.word: exit(KeeperFace.run(arguments[1], program: last))
            default: break
            }
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
