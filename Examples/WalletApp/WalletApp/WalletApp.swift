import Foundation
import SwiftUI

/// A wallet app on ThumbturnUI: it makes a vault, locks it with `vaultLock`, and lists its wallets.
@main
struct WalletApp: App {
    private let opening = Opening(accessGroup: Self.accessGroup, home: Self.home)

    var body: some Scene {
        WindowGroup { Entrance(opening: opening) }
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
