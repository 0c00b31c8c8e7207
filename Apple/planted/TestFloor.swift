// expect: 'span' is only available in macOS 26\.0 or newer
// for: arm64-apple-macosx15.0
import Testing
import ThumbturnTestKit

@testable import ThumbturnConsole

@Suite struct PlantedSuite {
    @Test(.timeLimit(.minutes(1)), arguments: [1, 2])
    func `a test sees what is internal, and no more than its floor has`(number: Int) throws {
        let count = [number].span.count
        #expect(!isIgnored(2) && count == 1)
    }
}
