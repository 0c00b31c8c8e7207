import Testing

/// What a test holds: requirements of `docs/requirements.md`, attacks of `docs/threat-model/`, codes of `docs/errors.md`.
///
/// `make check-docs` reads the ids where they stand. The file lies in each target of tests as a link.
struct Holds: TestTrait, SuiteTrait {
    let ids: [String]
}

extension Trait where Self == Holds {
    static func holds(_ ids: String...) -> Self { Holds(ids: ids) }
}
