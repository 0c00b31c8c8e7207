extension VaultPolicy {
    /// A rule of a policy: from its row in `all` follows how it is stored, compared, shown and set.
    package struct Field: Sendable {
        /// The name of its property, and in JSON, where `Seconds` follows that of a span.
        package let name: String
        /// Its type, and how its value is read and written.
        package let kind: Kind
        /// Whether it makes no sense without a service, so that only an account's vault may change it.
        package let needsService: Bool
        /// The name by which the owner sets it, what it rules, and whether it counts days; nil if only an app sets it.
        package private(set) var setting: (name: String, about: Words, inDays: Bool)?

        func set(as name: String, inDays: Bool = false, _ english: String, _ french: String) -> Field {
            var field = self
            field.setting = (name, Words(english, french), inDays)
            return field
        }

        /// Reads and writes a value of one type.
        package struct Access<Value>: Sendable {
            let get: @Sendable (VaultPolicy) -> Value
            let set: @Sendable (inout VaultPolicy, Value) -> Void
        }

        /// The types of rules; each says which of two values is stricter.
        package enum Kind: Sendable {
            /// Yes or no.
            case flag(Access<Bool>, stricter: Bool)
            /// A number: the lower one is stricter.
            case count(Access<UInt32>)
            /// A span: the shorter one is stricter, but none below `shortest` may be chosen.
            case span(Access<Milliseconds>, shortest: Milliseconds)
            /// A span, or nil for no limit: the shorter one is stricter.
            case limit(Access<Milliseconds?>)
            /// A minimum: the higher one is stricter.
            case assurance(Access<Assurance>)
            /// A minimum, or nil for none: the higher one is stricter.
            case optionalAssurance(Access<Assurance?>)

            func named(_ name: String, needsService: Bool = false) -> Field {
                Field(name: name, kind: self, needsService: needsService)
            }
        }

        /// Returns whether both policies have the same value.
        func isSame(in one: VaultPolicy, and other: VaultPolicy) -> Bool {
            switch kind {
            case .flag(let at, _): one[at] == other[at]
            case .count(let at): one[at] == other[at]
            case .span(let at, _): one[at] == other[at]
            case .limit(let at): one[at] == other[at]
            case .assurance(let at): one[at] == other[at]
            case .optionalAssurance(let at): one[at] == other[at]
            }
        }
    }

    /// The value of a rule.
    package subscript<Value>(rule: Field.Access<Value>) -> Value {
        get { rule.get(self) }
        set { rule.set(&self, newValue) }
    }
}
