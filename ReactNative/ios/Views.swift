public import ExpoModulesCore
import ThumbturnCrypto
import ThumbturnHost
import ThumbturnUI
import UIKit

/// `<SecretField>`: JavaScript is told a number for what was typed, and how long it is.
public final class ThumbturnSecretField: ExpoView {
    let onEntry = EventDispatcher()
    private var number = 0.0
    private var use = SecretUse.vault
    private lazy var field = SecretTextField { [weak self] in self?.entered($0, $1) }

    /// Creates an empty field.
    public required init(appContext: AppContext? = nil) {
        super.init(appContext: appContext)
        fill(with: field)
    }

    func show(_ kind: String) { field.kind = kind == "pin" ? .pin(length: nil) : .password }

    func use(_ name: String) {
        field.clear()
        use = SecretUse(rawValue: name) ?? .vault
    }

    private func entered(_ secret: consuming SecretBytes, _ count: Int) {
        AppVault.session?.drop(number)
        number = count == 0 ? 0 : AppVault.session?.keep(secret, for: use) ?? 0
        onEntry(["handle": number, "length": count])
    }
}

/// `<SecretText>`: shows what an action gave, of which JavaScript has the number.
public final class ThumbturnSecretText: ExpoView {
    let text = SecretTextView()

    /// Creates an empty view.
    public required init(appContext: AppContext? = nil) {
        super.init(appContext: appContext)
        fill(with: text)
    }

    func show(_ number: Double) {
        text.clear()
        guard let secret = AppVault.session?.take(number, hide: { [weak text] in text?.clear() }) else { return }
        text.show(secret)
    }
}

/// `<VaultCover>`: as long as it is in a window, nothing is seen of the app while it is not in front.
public final class ThumbturnCover: ExpoView {
    private var cover: WindowCover?

    /// Covers from now on, or no more.
    public override func didMoveToWindow() {
        super.didMoveToWindow()
        cover = window == nil ? nil : WindowCover()
    }
}

extension ExpoView {
    fileprivate func fill(with view: UIView) {
        view.frame = bounds
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        addSubview(view)
    }
}
