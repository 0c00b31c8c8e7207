import Foundation
import SwiftUI
import Thumbturn
import ThumbturnUI

/// What is behind the lock: the wallets, and the ways to the settings and out.
struct Home: View {
    let rooms: Rooms
    @State private var names: [String] = []
    @State private var refusal: String?
    @State private var showsSettings = false
    @State private var showsChecklist = false

    var body: some View {
        ScrollView {
            VStack(spacing: 24) {
                ForEach(names, id: \.self) { Text(verbatim: $0).font(.headline) }
                if let refusal { Text(verbatim: refusal).font(.footnote) }
                button("New wallet") { await add() }
                button("Settings") { showsSettings = true }
                button("Checklist") { showsChecklist = true }
                button("Lock") { await rooms.lock.lock() }
            }
            .padding()
        }
        .onAppear { Task { await look() } }
        // A sheet lies above the lock's cover, so it covers itself.
        .sheet(isPresented: $showsSettings) { Settings(rooms: rooms).privacyCover() }
        .sheet(isPresented: $showsChecklist) { ChecklistScreen(rooms.journal, rooms.core.device.clock) }
    }

    private func button(_ name: String, _ action: @escaping @MainActor () async -> Void) -> some View {
        Button {
            Task { await action() }
        } label: {
            Text(verbatim: name).frame(minWidth: 44, minHeight: 44)
        }
    }

    private func look() async {
        do throws(VaultError) {
            names = try await rooms.core.vault.wallets().map(\.name.text)
        } catch {
            refusal = error.code.message(in: .english)
        }
    }

    private func add() async {
        do throws(VaultError) {
            let name = try WalletName("Wallet \(names.count + 1)")
            try await rooms.core.vault.addWallet(named: name, .newMnemonic(words: .twelve))
        } catch {
            refusal = error.code.message(in: .english)
        }
        await look()
    }
}

/// The two switches that the library brings along, and what the vault told.
struct Settings: View {
    let rooms: Rooms

    var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 24) {
                BiometricToggle(rooms.biometrics)
                SystemAuthenticationScreen(rooms.system)
                Text(verbatim: "Journal").font(.headline)
                Text(verbatim: rooms.journal.lines.joined(separator: "\n")).font(.footnote)
            }
            .padding()
        }
    }
}
