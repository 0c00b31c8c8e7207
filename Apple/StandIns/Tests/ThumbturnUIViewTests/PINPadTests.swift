import Combine
import SwiftUI
import Testing
import ThumbturnTestKit
import ThumbturnUI

@MainActor @Suite("The PIN pad")
struct PINPadTests {
    @Test func `with a known length it shows the places, and sends with the last digit`() throws {
        let entry = PINEntry()
        var sent = 0
        let window = Window(PINPad(entry, length: 4) { sent += 1 })
        shows(window, pad("○○○○"))
        try window.enter("12")
        shows(window, pad("●●○○"))
        try window.tap("Delete the last digit")
        shows(window, pad("●○○○"))
        try window.enter("34")
        #expect(sent == 0)
        try window.enter("5")
        #expect(sent == 1)
        try window.enter("6")
        #expect(sent == 1, "nothing is added before the entry was taken")
        #expect(entry.take().withBytes { $0.exposedText } == "1345")
    }

    @Test func `with any length it has a key that sends, once there is something to send`() throws {
        let entry = PINEntry()
        var sent = 0
        let window = Window(PINPad(entry) { sent += 1 })
        shows(window, pad("○", last: "[(arrow.forward)] off"))
        #expect(throws: (any Error).self) { try window.tap("Unlock") }
        try window.enter("123")
        shows(window, pad("●●●", last: "[(arrow.forward)]"))
        try window.tap("Unlock")
        #expect(sent == 1)
    }

    @Test(.holds("P-107-04")) func `no key shows that it is touched`() throws {
        let window = Window(PINPad(PINEntry()) {})
        for key in (0...9).map(String.init) + ["(delete.left)"] {
            #expect(window.screen(pressing: key) == window.screen)
        }
        let ordinary = Window(
            Button {
            } label: {
                Text(verbatim: "5")
            }
        )
        #expect(ordinary.screen(pressing: "5") == "[5 (lit)]", "the check sees a highlight where there is one")
    }

    @Test(.holds("P-107-04")) func `VoiceOver says how many digits where the length is known, and never which`() throws
    {
        let entry = PINEntry()
        let window = Window(PINPad(entry, length: 6) {})
        #expect(window.spoken.first == "PIN, Digits entered: 0")
        try window.enter("7395")
        #expect(window.spoken.first == "PIN, Digits entered: 4")
        let keys = (0...9).map { "\($0), button" } + ["Delete the last digit, button"]
        #expect(Set(window.spoken.dropFirst()) == Set(keys), "besides, only the keys are named")
    }

    @Test(.holds("P-107-04")) func `where the length is the owner's secret, VoiceOver keeps it`() throws {
        let window = Window(PINPad(PINEntry()) {}, locale: "fr")
        #expect(window.spoken.first == "Code, Vide")
        for digit in ["7", "3", "9"] {
            try window.enter(digit)
            #expect(window.spoken.first == "Code, Saisi")
        }
    }

    @Test func `a keyboard types too`() throws {
        let entry = PINEntry()
        var sent = 0
        let window = Window(PINPad(entry) { sent += 1 })
        for key in "490\u{8}1" as String { try window.press(key) }
        try window.press("\r")
        #expect(sent == 1)
        #expect(entry.take().withBytes { $0.exposedText } == "491")
    }

    @Test func `a pad that is off takes nothing`() throws {
        let entry = PINEntry()
        let window = Window(PINPad(entry, length: 6, isEnabled: false) {})
        shows(window, pad("○○○○○○", isOn: false))
        #expect(throws: (any Error).self) { try window.tap("1") }
        #expect(throws: (any Error).self) { try window.press("1") }
        #expect(entry.count == 0)
        #expect(window.spoken.contains("1, button, dimmed"))
    }

    @Test func `every key is as large as a finger`() {
        #expect(Window(PINPad(PINEntry()) {}).smallControls.isEmpty)
        #expect(
            Window(
                Button {
                } label: {
                    Text(verbatim: "x")
                }
            ).smallControls == ["x"],
            "the check sees a small one"
        )
    }

    @Test func `an entry says before each change that it changes`() {
        let entry = PINEntry()
        var changes: [Int] = []
        let subscription = entry.objectWillChange.sink { changes.append(entry.count) }
        entry.append(1)
        entry.append(2)
        entry.clear()
        #expect(changes == [0, 1, 2])
        withExtendedLifetime(subscription) {}
    }
}
