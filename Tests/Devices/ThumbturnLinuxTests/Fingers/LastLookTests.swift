import Synchronization
import Testing
import ThumbturnDevice
import ThumbturnRules

@testable import ThumbturnLinux

/// What the last look at the readers has shown, and for how long that is believed.
@Suite struct LastLookTests {
    /// A clock that stands still.
    private final class Hand: Sendable {
        private let microseconds = Atomic<UInt64>(1_000_000_000)

        var now: UInt64 { microseconds.load(ordering: .relaxed) }

        func advance(_ span: Milliseconds) {
            microseconds.add(UInt64(span.count) * 1_000, ordering: .relaxed)
        }
    }

    private let hand = Hand()
    private let look: LastLook

    init() { look = LastLook { [hand] in hand.now } }

    @Test func `who was enrolled is believed for ten seconds, and no longer`() {
        #expect(look.set == nil)
        for shown in [Result<[UInt8], DeviceRefusal>.success([1, 2]), .failure(.notEnrolled)] {
            look.set = shown
            hand.advance(Patience.freshLook - Milliseconds(1))
            #expect(look.set == shown)
            hand.advance(Milliseconds(1))
            #expect(look.set == nil)
        }
        // A later look begins anew.
        look.set = .success([3])
        hand.advance(.seconds(9))
        look.set = .success([4])
        hand.advance(.seconds(9))
        #expect(look.set == .success([4]))
        #expect(Patience.freshLook == .seconds(10))
    }

    @Test func `a bus that was silent is asked again after half a minute`() {
        #expect(!look.isSilent)
        look.fallSilent()
        hand.advance(Patience.silentBus - Milliseconds(1))
        #expect(look.isSilent)
        hand.advance(Milliseconds(1))
        #expect(!look.isSilent)
    }
}
