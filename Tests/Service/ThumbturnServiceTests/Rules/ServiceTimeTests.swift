import Testing
import ThumbturnRules

@testable import ThumbturnService

@Suite("A time of the service") struct ServiceTimeTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_700_000_000_123, "2023-11-14T22:13:20.123Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    ])
    func `it has one form, which is read as it was written`(count: Int64, text: String) {
        #expect(ServiceTime(count).text == text)
        #expect(ServiceTime(text: text)?.count == count)
    }

    @Test(arguments: [
        "", "2023-11-14T22:13:20Z", "2023-11-14T22:13:20.1Z", "2023-11-14T22:13:20.123", "2023-11-14 22:13:20.123Z",
        "2023-11-14t22:13:20.123z", "2023-11-14T22:13:20.123+00:00", "2023-02-29T00:00:00.000Z",
        "2023-13-01T00:00:00.000Z", "2023-11-14T24:00:00.000Z", "2023-11-14T22:60:00.000Z", "2023-11-14T22:13:60.000Z",
        "2023-11-1aT22:13:20.123Z", "2023-1:-14T22:13:20.123Z", "+023-11-14T22:13:20.123Z", "2023-11-14T22:13:20,123Z",
    ])
    func `another form is none`(text: String) {
        #expect(ServiceTime(text: text) == nil)
    }

    @Test func `what no four digits can name does not trap`() {
        #expect(ServiceTime(.max).text == "9999-12-31T23:59:59.999Z")
        #expect(ServiceTime(.min).text == "0000-01-01T00:00:00.000Z")
        #expect(ServiceTime(.max) + .seconds(1) == ServiceTime(.max))
        #expect(ServiceTime(.min) - ServiceTime(.max) == Milliseconds(.min))
    }
}

extension ServiceTime {
    /// The time `span` earlier.
    static func - (time: ServiceTime, span: Milliseconds) -> ServiceTime {
        ServiceTime((Milliseconds(time.count) - span).count)
    }
}
