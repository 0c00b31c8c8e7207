import Testing
import UnlockModel

/// Two walks that meet every law between them, with the system's prompt and with an account; `make model` takes the others too.
@Suite struct UnlockWalkTests {
    @Test(
        .holds(
            "INV-107-01",
            "INV-107-07",
            "INV-107-08",
            "INV-107-09",
            "P-107-01",
            "S-06",
            "A33",
            "A34",
            "A36",
            "B-08",
            "C3",
            "C7",
            "C16"
        ),
        arguments: [UnlockWalk.Rules.wallet, .pd107]
    )
    func `no law is broken on the way to any state that vault, device and user can reach together`(
        rules: UnlockWalk.Rules
    ) {
        let walk = UnlockWalk(under: rules)
        print("walk \(rules.name): \(walk.states) states, \(walk.passages) passages")
        #expect(walk.findings == [])
    }
}
