import Foundation
import SwiftUI

/// A wallet app on ThumbturnUI: it makes a vault, locks it with `vaultLock`, and lists its wallets.
@main
struct WalletApp: App {
    var body: some Scene {
        WindowGroup { Entrance(accessGroup: Self.accessGroup, home: Self.home) }
    }

    /// Xcode puts the team's prefix in front of it when it builds Info.plist.
    static var accessGroup: String {
        Bundle.main.object(forInfoDictionaryKey: "KeychainAccessGroup") as? String ?? ""
    }

    private static var home: String {
        let folders = NSSearchPathForDirectoriesInDomains(.applicationSupportDirectory, .userDomainMask, true)
        return (folders.first ?? "") + "/WalletApp"
    }
}
