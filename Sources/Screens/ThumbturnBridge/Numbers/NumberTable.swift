/// Things that a host holds by a number: never an address, and never a number twice.
///
/// A number has, from its highest bits: 8 of the kind of thing, so that a secret's is no vault's; 32 of a generation,
/// which rises each time a place is used again; 24 of the place. It is positive as a signed number too.
struct NumberTable<Thing: Sendable>: Sendable {
    /// What numbers are given for.
    enum Kind: UInt64 { case vault = 1, secret = 2 }

    private struct Place {
        var generation: UInt32 = 0
        var thing: Thing?
    }

    private let kind: Kind
    private let limit: Int
    private var places: [Place] = []
    private var free: [Int] = []

    /// Creates an empty table.
    ///
    /// - Parameter limit: how many things it keeps at most, below 2^24.
    init(_ kind: Kind, limit: Int) {
        (self.kind, self.limit) = (kind, limit)
    }

    /// How many things it keeps.
    private(set) var count = 0

    /// Keeps a thing; nil when there is no place.
    mutating func add(_ thing: Thing) -> UInt64? {
        guard count < limit else { return nil }
        let index = free.popLast() ?? places.count
        if index == places.count { places.append(Place()) }
        places[index].generation += 1
        places[index].thing = thing
        count += 1
        return kind.rawValue << 56 | UInt64(places[index].generation) << 24 | UInt64(index)
    }

    /// Returns the thing of a number.
    subscript(_ number: UInt64) -> Thing? { index(of: number).flatMap { places[$0].thing } }

    /// Forgets the thing of a number, and returns it.
    mutating func remove(_ number: UInt64) -> Thing? {
        guard let index = index(of: number), let thing = places[index].thing else { return nil }
        places[index].thing = nil
        count -= 1
        // A place whose generations are used up stays empty for ever.
        if places[index].generation < .max { free.append(index) }
        return thing
    }

    private func index(of number: UInt64) -> Int? {
        let index = Int(number & 0xFF_FFFF)
        guard number >> 56 == kind.rawValue, places.indices.contains(index) else { return nil }
        return UInt64(places[index].generation) == number >> 24 & 0xFFFF_FFFF ? index : nil
    }
}
