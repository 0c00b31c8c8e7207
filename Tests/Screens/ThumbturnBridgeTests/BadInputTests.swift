import CBridge
import Testing
import ThumbturnTestKit

@testable import ThumbturnBridge

@Suite("What a host may give the C header")
struct BadInputTests {
    private static func configuration(_ home: String, _ rest: String) -> String { #"{"home":\#(home)\#(rest)}"# }
    private static let rest = #","language":"en","policy":"wallet","secret":{"kind":"pin","length":6}"#

    @Test(arguments: [
        "{", "[]", "null", #"{"home":"/x"}"#, configuration("7", rest), configuration(#""""#, rest),
        configuration(#""\ud800""#, rest), configuration(#""/x""#, rest + #","home":"/x""#),
        configuration(#""/x""#, rest + #","more":1"#),
        configuration(#""/x""#, rest.replacing("6", with: "9223372036854775808")),
        configuration(#""/x""#, rest.replacing("6", with: "0")),
        configuration(#""/x""#, rest.replacing("en", with: "xx")),
        configuration(#""\u0000""#, rest), String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000),
    ])
    func `what is no configuration opens no vault`(text: String) throws {
        let host = try HostSide()
        #expect(host.open(text) == TT_CONFIGURATION)
        #expect(host.told.values.isEmpty)
    }

    @Test(arguments: [0, 65_537]) func `a configuration of a length out of range opens no vault`(count: Int) throws {
        let host = try HostSide()
        #expect(host.open(String(repeating: " ", count: count)) == TT_ARGUMENT)
    }

    @Test func `a table of another size, without what it needs, or of unknown flags opens no vault`() throws {
        let host = try HostSide()
        let json = Array(host.configuration.utf8)
        func open(flags: UInt32 = UInt32(TT_MAIN_IS_SERVED), _ change: (inout tt_device, inout tt_listener) -> Void)
            -> tt_status
        {
            var (device, listener, handle) = (HostSide.device, HostSide.listener, UInt64(0))
            change(&device, &listener)
            return unsafe tt_open(json, UInt64(json.count), flags, &device, &listener, nil, &handle)
        }
        #expect(open { device, _ in device.size -= 1 } == TT_ARGUMENT)
        #expect(open { _, listener in listener.size += 8 } == TT_ARGUMENT)
        #expect(open { device, _ in unsafe device.clock = nil } == TT_ARGUMENT)
        #expect(open { device, _ in unsafe device.ask = nil } == TT_ARGUMENT)
        #expect(open { _, listener in unsafe listener.answered = nil } == TT_ARGUMENT)
        #expect(open { _, listener in unsafe listener.closed = nil } == TT_ARGUMENT)
        #expect(open(flags: 2) { _, _ in } == TT_ARGUMENT)
        var (device, listener, handle) = (HostSide.device, HostSide.listener, UInt64(0))
        let (count, served) = (UInt64(json.count), UInt32(TT_MAIN_IS_SERVED))
        #expect(unsafe tt_open(nil, count, served, &device, &listener, nil, &handle) == TT_ARGUMENT)
        #expect(unsafe tt_open(json, count, served, nil, &listener, nil, &handle) == TT_ARGUMENT)
        #expect(unsafe tt_open(json, count, served, &device, nil, nil, &handle) == TT_ARGUMENT)
        #expect(unsafe tt_open(json, count, served, &device, &listener, nil, nil) == TT_ARGUMENT)
    }

    @Test func `the vaults of a process agree on who serves the main actor`() async throws {
        let host = try HostSide()
        #expect(host.open() == TT_OK)
        var (device, listener, handle) = (HostSide.device, HostSide.listener, UInt64(0))
        let json = Array(host.configuration.utf8)
        #expect(unsafe tt_open(json, UInt64(json.count), 0, &device, &listener, nil, &handle) == TT_MAIN)
        await host.close()
    }

    @Test func `a handle that is none, or was one, is refused everywhere`() async throws {
        let host = try HostSide()
        #expect(host.open() == TT_OK)
        let secret = HostSide.secret([1])
        let closed = host.handle
        await host.close()
        let action = Array("{}".utf8)
        for handle in [0, 1, closed, secret, closed + 1_000 << 24, .max, 3 << 56 | 1] {
            var count: UInt64 = 0
            #expect(unsafe tt_fields(handle, nil, 0, &count) == TT_HANDLE)
            #expect(unsafe tt_send(handle, 1, action, 2, 0) == TT_HANDLE)
            #expect(tt_cancel(handle, 1) == TT_HANDLE)
            #expect(tt_happen(handle, UInt32(TT_APP_ACTIVE)) == TT_HANDLE)
            #expect(tt_answer(handle, 1, 0, 0, nil, 0, 0) == TT_HANDLE)
            #expect(tt_close(handle) == TT_HANDLE)
        }
        #expect(tt_secret_drop(secret) == TT_OK)
    }

    @Test(arguments: [
        "", "{", #"{"name":"lock""#, #"{"a":1,"a":1}"#, #"{"n":9223372036854775808}"#, #"{"n":"\udc00"}"#, "nul",
        String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000),
        "\"" + String(repeating: "x", count: 65_535) + "\"",
    ])
    func `an action that is not JSON is refused, and its secret taken`(action: String) async throws {
        let host = try HostSide()
        #expect(host.open() == TT_OK)
        let secret = HostSide.secret([7, 7])
        #expect(host.send(1, action, secret: secret) == (action.isEmpty ? TT_ARGUMENT : TT_ACTION))
        #expect(tt_secret_drop(secret) == TT_SECRET)
        #expect(host.send(1, [0x22, 0xFF, 0x22], secret: 0) == TT_ACTION)
        await host.close()
        #expect(host.told.answers.isEmpty)
    }

    @Test(arguments: [
        "{}", "[]", "7", #"{"name":"lock"}"#, #"{"name":"lock","screen":"none"}"#,
        #"{"name":"none","screen":"unlock"}"#,
        #"{"name":"lock","screen":"unlock","more":1}"#, #"{"name":"answerOffer","screen":"unlock"}"#,
        #"{"name":"answerOffer","screen":"unlock","consent":"yes"}"#,
        #"{"name":"submitSecret","screen":"unlock","secret":"taken"}"#,
    ])
    func `JSON that is no action is answered with what is wrong`(action: String) async throws {
        let host = try HostSide()
        #expect(host.open() == TT_OK)
        #expect(host.send(9, action) == TT_OK)
        await until { host.told.answers[9] != nil }
        #expect(host.told.answers[9]?.count == 1)
        #expect(host.told.answers[9]?.first?.contains("\"code\"") == true)
        await host.close()
    }

    @Test func `an event that means nothing is refused`() async throws {
        let host = try HostSide()
        #expect(host.open() == TT_OK)
        for event: UInt32 in [0, 7, .max] { #expect(tt_happen(host.handle, event) == TT_ARGUMENT) }
        for event: UInt32 in 1...6 { #expect(tt_happen(host.handle, event) == TT_OK) }
        await host.close()
    }

    @Test func `the value goes into a buffer that is large enough, and into no other`() async throws {
        let host = try HostSide()
        #expect(host.open() == TT_OK)
        await until { !host.told.values.isEmpty }
        var (count, again) = (UInt64(0), UInt64(0))
        #expect(unsafe tt_fields(host.handle, nil, 0, &count) == TT_BUFFER)
        var small = [UInt8](repeating: 0xAA, count: Int(count))
        #expect(unsafe tt_fields(host.handle, &small, 3, &again) == TT_BUFFER)
        #expect(small.allSatisfy { $0 == 0xAA })
        #expect(unsafe tt_fields(host.handle, nil, count, &again) == TT_ARGUMENT)
        #expect(unsafe tt_fields(host.handle, &small, count, nil) == TT_ARGUMENT)
        var large = [UInt8](repeating: 0xAA, count: 1 << 16)
        #expect(unsafe tt_fields(host.handle, &large, UInt64(large.count), &again) == TT_OK)
        #expect(large[Int(again)] == 0xAA)
        await host.close()
    }
}
