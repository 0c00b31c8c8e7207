extension Scenario {
    /// What `make model` explores.
    package static let all = [
        Scenario("one copy", .counting, copies: 1, Bounds(attempts: 3, fingers: 1, faults: 3, kills: 2, boots: 1)),
        Scenario(
            "one copy, put back",
            .counting,
            copies: 1,
            Bounds(attempts: 2, fingers: 1, faults: 1, kills: 1, meddling: 1, boots: 1)
        ),
        Scenario("two copies", .counting, copies: 2, Bounds(attempts: 2, faults: 1, kills: 1)),
        Scenario("two copies, fingers", .counting, copies: 2, Bounds(attempts: 1, fingers: 1, kills: 1, meddling: 1)),
        Scenario("two copies, put back", .counting, copies: 2, Bounds(attempts: 2, kills: 1, meddling: 1)),
        Scenario("three copies", .counting, copies: 3, Bounds(attempts: 2, kills: 1)),
        Scenario("three copies, put back", .counting, copies: 3, Bounds(attempts: 1, meddling: 1)),
        Scenario("no anchor yet", .founded, copies: 2, Bounds(attempts: 1, faults: 1, kills: 1, meddling: 1)),
        Scenario("anchor lost", .anchorLost, copies: 2, Bounds(attempts: 1, faults: 1, kills: 1, meddling: 1)),
    ]

    /// What `make test` explores.
    package static let some = [
        Scenario(
            "one copy",
            .counting,
            copies: 1,
            Bounds(attempts: 2, fingers: 1, faults: 1, kills: 1),
            leastStates: 3_000
        ),
        Scenario("two copies", .counting, copies: 2, Bounds(attempts: 2, kills: 1), leastStates: 4_500),
        Scenario("three copies", .counting, copies: 3, Bounds(attempts: 1), leastStates: 560),
        Scenario("no anchor yet", .founded, copies: 1, Bounds(attempts: 1, faults: 1, kills: 1), leastStates: 200),
        Scenario("anchor lost", .anchorLost, copies: 1, Bounds(attempts: 1, kills: 1, meddling: 1), leastStates: 430),
    ]
}
