import Testing
import ThumbturnCrypto
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("A PIN that is typed")
struct PINEntryTests {
    @Test func `hands over what was typed, and keeps nothing`() {
        let entry = PINEntry()
        entry.type("0493817")
        #expect(entry.count == 7)
        #expect(text(entry.take()) == "0493817")
        #expect(entry.count == 0)
        #expect(entry.take().byteCount == 0)
    }

    @Test func `takes digits back, and none from nothing`() {
        let entry = PINEntry()
        entry.removeLast()
        entry.type("12")
        entry.removeLast()
        entry.type("9")
        #expect(text(entry.take()) == "19")
    }

    @Test func `is wiped`() {
        let entry = PINEntry()
        entry.clear()
        entry.type("12")
        entry.clear()
        #expect(entry.count == 0)
        #expect(entry.take().byteCount == 0)
    }

    @Test func `ends at its longest`() {
        let entry = PINEntry()
        for _ in 0...PINEntry.mostDigits { entry.append(7) }
        #expect(entry.count == PINEntry.mostDigits)
        #expect(entry.take().byteCount == PINEntry.mostDigits)
    }

    @Test(.holds("P-107-04")) func `shows no digit to whoever describes it`() {
        let entry = PINEntry()
        entry.type("493817")
        let seen = everything(in: entry)
        #expect(!reveals(seen, "493817"))
        #expect(seen.contains("6"), "the walk reaches the entry's fields")
    }

    @Test func `a typed text becomes the bytes of its UTF-8`() {
        #expect(text(SecretBytes(typed: "")) == "")
        #expect(text(SecretBytes(typed: "clé à molette 🔑")) == "clé à molette 🔑")
    }

    private func text(_ secret: consuming SecretBytes) -> String { secret.withBytes { $0.exposedText } }
}
