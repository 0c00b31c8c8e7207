import Testing
import ThumbturnConsole

@testable import ThumbturnCommand

struct HelpTests {
    @Test func `help lists what --secret-fd wants, in order`() throws {
        try Transcript.play(
            """
            $ help wallet delete
            thumbturn wallet delete NAME
              delete a wallet permanently
            --secret-fd, one line each:
              1. PIN or password
              2. the wallet's name again
            examples
              thumbturn wallet delete savings
            $ help pin
              pin change  change the PIN or password
            examples
              thumbturn pin change
            `thumbturn help pin COMMAND` explains one.
            $ pin change --help
            thumbturn pin change
              change the PIN or password
            --secret-fd, one line each:
              1. PIN or password
              2. new PIN or password
            examples
              thumbturn pin change
            $ restore --help
            thumbturn restore FILE|-
              make a vault from a backup
            --secret-fd, one line each:
              1. recovery key
              2. new PIN or password
            `-` is standard input.
            examples
              thumbturn restore /media/stick/savings.backup
              thumbturn --vault /media/stick/vault restore savings.backup
              thumbturn restore - < savings.backup
            $ help migrate
              migrate legacy  import a wallet that another app sealed
            examples
              thumbturn migrate legacy savings.enc --dry-run
            `thumbturn help migrate COMMAND` explains one.
            $ --version
            thumbturn \(Tool.version)
            """,
            in: Box()
        )
    }

    @Test func `errors speak French, and JSON errors are one object`() throws {
        let box = try Box()
        let french = try box.run(["status"], nil, ["LC_ALL": "fr_FR.UTF-8"])
        #expect(
            french.standardError
                == """
                thumbturn: erreur : ERR-TT-201 Il n'y a pas de coffre ici.
                conseil : créez un coffre avec `thumbturn --device simulated init`, ou retrouvez-en un avec `thumbturn --device simulated restore SAUVEGARDE`

                """
        )
        let error = try #require(try box.json(["status"])["error"] as? [String: Any])
        #expect(error["code"] as? String == "ERR-TT-201")
        let hint = try #require(error["hint"] as? String)
        #expect(hint.hasPrefix("make a vault with `thumbturn --device simulated init`, or"), "\(hint)")
        let unknown = try #require(try box.json(["nothing"])["error"] as? [String: Any])
        #expect(unknown["code"] as? String == "ERR-TT-301")
    }
}
