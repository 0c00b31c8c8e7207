public import Foundation

// A field, as far as something that takes each key before the field does needs it.

public enum UIKeyboardType: Int, Sendable {
    case `default` = 0
    case asciiCapable = 1
    case numberPad = 4
}

public enum UITextAutocorrectionType: Int, Sendable {
    case `default`
    case no
    case yes
}

public enum UITextAutocapitalizationType: Int, Sendable {
    case none
    case words
    case sentences
    case allCharacters
}

public enum UITextSpellCheckingType: Int, Sendable {
    case `default`
    case no
    case yes
}

open class UIControl: UIView {}

@MainActor public protocol UITextFieldDelegate: AnyObject {
    func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool
}

/// A field of one line. Its owner writes by the methods with an underscore.
///
/// Every key, the pasteboard and what the system fills in go to the delegate first; a program's own writing of `text` does
/// not [doc]. A secure field whose text was written once loses all of it to the first key after it was touched anew [field].
open class UITextField: UIControl {
    open var text: String? = ""
    open var isSecureTextEntry = false
    open var textContentType: UITextContentType?
    open var keyboardType = UIKeyboardType.default
    open var autocorrectionType = UITextAutocorrectionType.default
    open var autocapitalizationType = UITextAutocapitalizationType.sentences
    open var spellCheckingType = UITextSpellCheckingType.default
    open weak var delegate: (any UITextFieldDelegate)?

    private var isFresh = false

    /// Puts the caret into the field.
    public func _touch() { isFresh = true }

    /// Types at the end, as one event: a key, or more where the system fills in.
    public func _type(_ string: String) {
        let range = NSRange(
            location: isFresh && isSecureTextEntry ? 0 : count,
            length: isFresh && isSecureTextEntry ? count : 0
        )
        isFresh = false
        edit(range, string)
    }

    /// Deletes the last character.
    public func _delete() {
        isFresh = false
        if count > 0 { edit(NSRange(location: count - 1, length: 1), "") }
    }

    /// Replaces what was selected.
    public func _replace(_ range: Range<Int>, with string: String) {
        edit(NSRange(location: range.lowerBound, length: range.count), string)
    }

    private var count: Int { text?.utf16.count ?? 0 }

    private func edit(_ range: NSRange, _ string: String) {
        guard delegate?.textField(self, shouldChangeCharactersIn: range, replacementString: string) ?? true else {
            return
        }
        var units = Array((text ?? "").utf16)
        // The delegate may have written another text.
        let place = (range.location..<(range.location + range.length)).clamped(to: 0..<units.count)
        units.replaceSubrange(place, with: string.utf16)
        text = String(decoding: units, as: UTF16.self)
    }
}
