import Testing
import ThumbturnBase
import ThumbturnTestKit

@Suite struct WatchersTests {
    private let ended = Shared<[UInt64]>([])

    @Test func `who leaves is told by number, and hears no more once that is taken away`() async {
        var watchers = Watchers<Int>()
        let staying = watchers.add(1) { [ended] in ended.append($0) }
        do { _ = watchers.add(1) { [ended] in ended.append($0) } }
        #expect(ended.value == [2])
        watchers.remove(2)
        #expect(!watchers.isEmpty)
        watchers.tell(2)
        watchers.finish()
        #expect(await staying.reduce(into: []) { $0.append($1) } == [1, 2])
        #expect(ended.value == [2, 1])
        watchers.remove(1)
        #expect(watchers.isEmpty)
    }

    @Test func `who falls behind misses nothing`() async {
        var watchers = Watchers<Int>()
        let stream = watchers.add(0) { _ in }
        for value in 1...1_000 { watchers.tell(value) }
        watchers.finish()
        #expect(await stream.reduce(into: []) { $0.append($1) } == Array(0...1_000))
    }

    @Test func `nobody listens before the first and after the last`() {
        var watchers = Watchers<Int>()
        #expect(watchers.isEmpty)
        for number in 1...3 as ClosedRange<UInt64> {
            let stream = watchers.add(0) { _ in }
            #expect(!watchers.isEmpty)
            _ = stream
            watchers.remove(number)
            #expect(watchers.isEmpty)
        }
    }
}
