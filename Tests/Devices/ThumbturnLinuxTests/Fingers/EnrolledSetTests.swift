import Testing
import ThumbturnRules

@testable import ThumbturnLinux

extension OnTheStack {
    struct EnrolledSetTests {
        private let other = OtherClient()
        private let prompt = TestStack.prompt()

        init() async throws {
            try TestStack.run("up")
            try await other.enrol("mine")
        }

        @Test(.holds("A28")) func `one more finger changes the set, and one less`() async throws {
            let one = try await prompt.enrolledSet()
            #expect(one.count == 32)
            #expect(try await prompt.enrolledSet() == one)
            try await other.enrol("another", as: "left-thumb")
            let two = try await prompt.enrolledSet()
            #expect(two != one)
            try await other.delete("right-index-finger")
            let exchanged = try await prompt.enrolledSet()
            #expect(![one, two].contains(exchanged))
            try await other.delete("left-thumb")
            await #expect(throws: DeviceRefusal.notEnrolled) { try await prompt.enrolledSet() }
        }

        @Test(.holds("A28")) func `the set outlives fprintd, and a reader without a finger of ours is not in it`()
            async throws
        {
            let set = try await prompt.enrolledSet()
            try TestStack.run("stop", "fprintd")
            await #expect(throws: DeviceRefusal.hardwareMissing) { try await prompt.enrolledSet() }
            try TestStack.run("start", "fprintd")
            #expect(try await prompt.enrolledSet() == set)
            try TestStack.run("up", "--image")
            try await other.enrol("mine")
            #expect(
                try await Fprint(bus: BusConnection(address: TestStack.address), owner: TestStack.owner).readers().count
                    == 2
            )
            #expect(try await prompt.enrolledSet() == set)
        }

        @Test func `the limit: another finger under the same name is not seen`() async throws {
            let set = try await prompt.enrolledSet()
            try await other.delete("right-index-finger")
            try await other.enrol("theirs")
            #expect(try await prompt.enrolledSet() == set)
        }

        @Test func `a set that can't be asked for is not empty`() async throws {
            try TestStack.run("stop", "bus")
            await #expect(throws: DeviceRefusal.readerFailed(afterMismatch: false)) { try await prompt.enrolledSet() }
        }
    }
}
