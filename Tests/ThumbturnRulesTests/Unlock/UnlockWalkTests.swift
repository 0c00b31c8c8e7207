import Testing
import UnlockModel

/// The walk that gets farthest; `make model` takes the others too.
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
        )
    )
    func `no law is broken on the way to any state that vault, device and user can reach together`() {
        let walk = UnlockWalk(under: .pd107)
        print("walk: \(walk.states) states, \(walk.passages) passages")
        #expect(walk.findings == [])
    }
}
