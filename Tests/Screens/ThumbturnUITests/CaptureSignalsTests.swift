import Testing
import ThumbturnRules

@testable import ThumbturnUI

@MainActor @Suite("Signals of a recording and of a screenshot", .holds("P-107-04"))
struct CaptureSignalsTests {
    @Test func `a recording begins and ends, and a screenshot stays counted`() {
        let signals = CaptureSignals()
        #expect(!signals.isCaptured && signals.screenshots == 0)
        signals.recordingChanged(to: true)
        signals.screenshotTaken()
        #expect(signals.fields == CaptureFields(isCaptured: true, screenshots: 1))
        signals.recordingChanged(to: false)
        signals.screenshotTaken()
        #expect(signals.fields == CaptureFields(screenshots: 2))
    }

    @Test func `where no system tells, nothing is ever said`() {
        #expect(CaptureSignals.shared.fields == CaptureFields())
    }
}
