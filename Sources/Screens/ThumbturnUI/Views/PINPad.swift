#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnRules

/// Ten keys that fill a `PINEntry`, and dots that show the number of digits.
///
/// A touched key neither lights up nor makes a sound, so that it can't be seen or heard (P-107-04). VoiceOver has to
/// read the keys so that they can be found; of the entry it reads the number of digits if the length is known anyway,
/// and otherwise only whether there are any.
public struct PINPad: View {
    @ObservedObject private var entry: PINEntry
    private let length: Int?
    private let isEnabled: Bool
    private let submit: @MainActor () -> Void

    /// Creates a pad.
    ///
    /// - Parameters:
    ///   - entry: the PIN during entry.
    ///   - length: the number of digits after which `submit` is called; nil shows a key for it.
    ///   - isEnabled: whether the keys can be touched.
    ///   - submit: submits the entry.
    public init(
        _ entry: PINEntry,
        length: Int? = nil,
        isEnabled: Bool = true,
        submit: @escaping @MainActor () -> Void
    ) {
        self.entry = entry
        self.length = length
        self.isEnabled = isEnabled
        self.submit = submit
    }

    /// The dots above the keys.
    public var body: some View {
        VStack(spacing: 16) {
            dots
            ForEach([1, 4, 7], id: \.self) { first in
                HStack(spacing: 16) {
                    ForEach(first..<first + 3, id: \.self) { digit(UInt8($0)) }
                }
            }
            HStack(spacing: 16) {
                key("delete.left", .deleteDigit) { entry.removeLast() }
                    .keyboardShortcut(.delete, modifiers: [])
                digit(0)
                // With a known length the last digit submits, and an invisible key keeps the zero in the middle.
                key("arrow.forward", .unlock) { submit() }
                    .keyboardShortcut(.return, modifiers: [])
                    .opacity(length == nil ? 1 : 0)
                    .disabled(length != nil || entry.count == 0)
                    .accessibilityHidden(length != nil)
            }
        }
        .frame(maxWidth: 360)
        .disabled(!isEnabled)
    }

    private var dots: some View {
        HStack(spacing: 12) {
            ForEach(0..<max(length ?? 0, entry.count, 1), id: \.self) { place in
                Image(systemName: place < entry.count ? "circle.fill" : "circle").imageScale(.small)
            }
        }
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(Text(Words.pin))
        .accessibilityValue(spoken)
    }

    private var spoken: Text {
        if length != nil { return Text(Words.digitsEntered, String(entry.count)) }
        return Text(entry.count == 0 ? Words.empty : Words.filledIn)
    }

    private func digit(_ digit: UInt8) -> some View {
        Button {
            // A fast finger must not add digits before the entry is taken.
            guard entry.count != length else { return }
            entry.append(digit)
            if entry.count == length { submit() }
        } label: {
            Text(verbatim: "\(digit)").font(.title).modifier(KeySize())
        }
        .buttonStyle(QuietKey())
        .keyboardShortcut(KeyEquivalent(Character("\(digit)")), modifiers: [])
    }

    private func key(_ symbol: String, _ words: Words, action: @escaping @MainActor () -> Void) -> some View {
        Button(action: action) { Image(systemName: symbol).font(.title).modifier(KeySize()) }
            .buttonStyle(QuietKey())
            .accessibilityLabel(Text(words))
    }
}

/// Looks the same when it is touched, so that an onlooker can't see which key was.
private struct QuietKey: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View { configuration.label }
}

/// At least as large as a fingertip, and larger with the user's text size.
private struct KeySize: ViewModifier {
    func body(content: Content) -> some View {
        content
            .padding(8)
            .frame(minWidth: 44, maxWidth: .infinity, minHeight: 44)
            .contentShape(Rectangle())
    }
}
#endif
