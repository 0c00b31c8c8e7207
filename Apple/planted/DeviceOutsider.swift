// expect: type 'Copied' does not conform to protocol 'Anchor'
import ThumbturnDevice

struct Copied: Anchor {
    func value(for secret: ItemName) -> UInt64? { 0 }
}
