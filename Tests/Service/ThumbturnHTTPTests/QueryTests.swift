import Testing

@testable import ThumbturnHTTP

struct QueryTests {
    /// The items of a query, each as `name=value`, or as the name alone where the value has no one reading.
    private func items(_ query: String?) -> [String] {
        HTTPRequest(.get, "/", query: query).queryItems.map { name, value in name + (value.map { "=" + $0 } ?? "") }
    }

    @Test func `names and values are decoded behind the signs that part them`() {
        #expect(items(nil) == [] && items("") == [])
        #expect(items("a=1&b=2&a=") == ["a=1", "b=2", "a="])
        #expect(items("%61=%26%3D%2b&b=x=y") == ["a=&=+", "b=x=y"])
        #expect(items("a=%C3%A9%00") == ["a=é\0"])
    }

    @Test func `what readers take for different values is none`() {
        #expect(items("a&b=1+2&c=%FF&d=%C3") == ["a", "b", "c", "d"])
        #expect(items("&a=1&") == ["", "a=1", ""])
        #expect(items("%FF=1") == ["\u{FFFD}=1"])
    }
}
