package import ThumbturnRules

extension Identifier {
    /// Draws a new identifier.
    package static func random() -> Identifier {
        var generator = SystemRandomNumberGenerator()
        return Identifier(high: generator.next(), low: generator.next())
    }
}
