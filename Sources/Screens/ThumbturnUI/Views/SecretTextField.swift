#if canImport(UIKit)
import Foundation
public import ThumbturnCrypto
public import ThumbturnRules
public import UIKit

/// Asks for a PIN or password in UIKit, where there is no `LockScreen`: what is typed never becomes the field's text.
///
/// The field holds dots alone, so nothing else that reads it finds the secret. Each change is handed over as bytes. It
/// offers no suggestion, nothing to save and no menu, and VoiceOver says no value. It forgets what was typed when the app
/// is not in front, and when it leaves its window.
///
/// Each key still arrives as a `String` of the system, whose copy is never wiped.
@MainActor public final class SecretTextField: UIView {
    /// The secret that is asked for: a PIN has the pad of digits.
    public var kind = SecretKind.password {
        didSet { field.keyboardType = kind == .password ? .asciiCapable : .numberPad }
    }

    private let changed: @MainActor (consuming SecretBytes, Int) -> Void
    private let entry = SecretEntry()
    private let field = DottedField(frame: CGRect())
    private let keys = Keys()
    private var events: HostEvents?

    /// Creates an empty field.
    ///
    /// - Parameter changed: receives what stands there after each change, and the number of its characters; 0 when it was
    ///   cleared. It is kept.
    public init(_ changed: @escaping @MainActor (_ secret: consuming SecretBytes, _ count: Int) -> Void) {
        self.changed = changed
        super.init(frame: CGRect())
        field.isSecureTextEntry = true
        // The only kind of secret text that the system never offers to keep [field].
        field.textContentType = .oneTimeCode
        field.keyboardType = .asciiCapable
        field.autocorrectionType = .no
        field.autocapitalizationType = .none
        field.spellCheckingType = .no
        keys.typed = { [weak self] in self?.replace($0, with: $1) }
        field.delegate = keys
        field.frame = bounds
        field.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        addSubview(field)
        events = HostEvents(of: .application) { [weak self] phase in if phase != .active { self?.clear() } }
    }

    /// Not from a storyboard: it hands over what is typed.
    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    /// Forgets what was typed.
    public func clear() {
        guard entry.count > 0 else { return }
        entry.clear()
        show()
    }

    /// Forgets what was typed when the window is left.
    public override func didMoveToWindow() {
        super.didMoveToWindow()
        if window == nil { clear() }
    }

    private func replace(_ range: Range<Int>, with text: String) {
        entry.replace(range, with: text)
        show()
    }

    private func show() {
        field.text = String(repeating: "•", count: entry.count)
        changed(entry.typed.copy(), entry.count)
    }
}

/// A field that nothing can be copied from or pasted into, and that says no value.
private final class DottedField: UITextField {
    override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool { false }

    override var accessibilityValue: String? {
        get { nil }
        set {}
    }
}

/// Takes each key before the field does.
@MainActor private final class Keys: NSObject, UITextFieldDelegate {
    var typed: @MainActor (Range<Int>, String) -> Void = { _, _ in }

    func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool {
        typed(range.location..<(range.location + range.length), string)
        return false
    }
}
#endif
