// What the page calls, compiled into the same module as the rules. `thumbturn_rules_version` is there so that the gate
// links a real module: with an export, a start, and every symbol that the rules need found.

/// Returns the version of the exported calls, which a page checks before it uses any other.
@c(thumbturn_rules_version) public func rulesVersion() -> Int32 { 1 }
