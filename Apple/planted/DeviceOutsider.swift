// expect: type 'Copied' does not conform to protocol 'Anchor'
import ThumbturnDevice
import ThumbturnRules

struct Copied: Anchor {
    func position(for secret: ItemName) -> LedgerPosition? { nil }
}
