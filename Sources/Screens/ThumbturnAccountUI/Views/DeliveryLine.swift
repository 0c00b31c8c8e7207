#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnRules
import ThumbturnUI

/// A line for an app's settings: how far the account's log has what happened here.
///
/// Without an account it shows nothing.
public struct DeliveryLine: View {
    @ObservedObject private var model: DeliveryModel

    /// Shows a model's line.
    public init(_ model: DeliveryModel) { self.model = model }

    /// The line, and below it what to do.
    public var body: some View {
        if model.isShown {
            VStack(alignment: .leading, spacing: 8) {
                waiting
                if let lastSent = model.lastSent { Text(Words.lastSent, lastSent).font(.footnote) }
                if let obstacle = model.obstacle { Text(Words(obstacle)).font(.footnote) }
                if let error = model.error { Notice(error: error) }
                if model.isBusy { ProgressView() }
                if model.maySend { WideButton(.sendNow) { Task { await model.send() } } }
            }
            .onAppear { Task { await model.refresh() } }
            .serves(model)
        }
    }

    @ViewBuilder private var waiting: some View {
        switch model.count {
        case 0: Text(Words.allSent)
        case 1: Text(Words.eventWaits)
        default: Text(Words.eventsWait, "\(model.count)")
        }
    }
}
#endif
