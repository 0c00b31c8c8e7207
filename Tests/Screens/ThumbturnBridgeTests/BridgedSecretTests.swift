import CBridge
import Testing
import ThumbturnCrypto
import ThumbturnTestKit

@testable import ThumbturnBridge

@Suite("A host's secrets, by number")
struct BridgedSecretTests {
    @Test func `a secret begins as zeros, holds what is written, and ends once`() {
        let secret = HostSide.secret([])
        var (made, start, count) = unsafe (UInt64(0), UnsafeMutablePointer<UInt8>?.none, UInt64(9))
        #expect(unsafe tt_secret_make(32, &made) == TT_OK)
        #expect(HostSide.bytes(of: made) == [UInt8](repeating: 0, count: 32))
        #expect(HostSide.bytes(of: HostSide.secret([1, 2, 3])) == [1, 2, 3])
        #expect(unsafe tt_secret_bytes(secret, &start, &count) == TT_OK && count == 0)
        #expect(tt_secret_drop(made) == TT_OK)
        #expect(tt_secret_drop(made) == TT_SECRET)
        #expect(unsafe tt_secret_bytes(made, &start, &count) == TT_SECRET)
        #expect(tt_secret_drop(secret) == TT_OK)
    }

    @Test func `no secret is made too long or into nothing, and none looked at into nothing`() {
        var (made, start, count) = unsafe (UInt64(0), UnsafeMutablePointer<UInt8>?.none, UInt64(0))
        #expect(unsafe tt_secret_make(UInt64(TT_SECRET_BYTES) + 1, &made) == TT_ARGUMENT)
        #expect(unsafe tt_secret_make(.max, &made) == TT_ARGUMENT)
        #expect(tt_secret_make(1, nil) == TT_ARGUMENT)
        let secret = HostSide.secret([1])
        #expect(unsafe tt_secret_bytes(secret, nil, &count) == TT_ARGUMENT)
        #expect(unsafe tt_secret_bytes(secret, &start, nil) == TT_ARGUMENT)
        #expect(tt_secret_drop(secret) == TT_OK)
        for number in [0, 1, secret, .max, 1 << 56 | 1 << 24] { #expect(tt_secret_drop(number) == TT_SECRET) }
    }

    @Test func `an action takes its secret once`() async throws {
        let host = try HostSide()
        #expect(host.open() == TT_OK)
        let (secret, action) = (
            HostSide.secret(Array("204518".utf8)), #"{"name":"submitSecret","screen":"onboarding","secret":"taken"}"#
        )
        #expect(host.send(1, action, secret: secret) == TT_OK)
        #expect(host.send(2, action, secret: secret) == TT_SECRET)
        #expect(host.send(0, action, secret: 0) == TT_TICKET)
        await until { host.told.answers[1] != nil }
        #expect(host.told.answers[2] == nil)
        await host.close()
    }

    @Test func `a table is full at its limit, and a number is never used twice`() {
        var table = NumberTable<Int>(.secret, limit: 2)
        var used: Set<UInt64> = []
        for round in 1...1_000 {
            guard let one = table.add(round), let two = table.add(-round) else {
                Issue.record("no place")
                return
            }
            #expect(table.add(0) == nil)
            #expect(used.insert(one).inserted && used.insert(two).inserted)
            #expect(table[one] == round && table[two] == -round)
            #expect(table[one ^ 1 << 56] == nil)
            #expect(table.remove(one) == round && table.remove(one) == nil && table[one] == nil)
            #expect(table.remove(two) == -round)
        }
        #expect(table.count == 0)
    }

    @Test func `a full table gives no secret, and keeps those it has`() {
        let table = SecretTable(limit: 1)
        let number = table.add(HeldSecret(SecretBytes(bytes: [1])))
        #expect(table.add(HeldSecret(SecretBytes(bytes: [2]))) == nil)
        #expect(number.flatMap { table.look($0) } != nil)
        #expect(number.flatMap { table.take($0) } != nil)
        #expect(table.count == 0)
    }
}
