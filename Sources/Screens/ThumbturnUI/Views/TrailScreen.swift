#if canImport(SwiftUI)
import Foundation
public import SwiftUI
import ThumbturnRules

/// Lists what happened to the vault on this device, the newest first (F-107-10).
public struct TrailScreen: View {
    @ObservedObject private var model: TrailModel

    /// Shows a model's list, which is read when the screen appears.
    public init(_ model: TrailModel) { self.model = model }

    /// The events read so far, and what is known of the others.
    public var body: some View {
        Page(.trail, error: model.error) {
            if model.error != nil { Text(Words.trailUnreadable) }
            if let undelivered = model.undelivered, undelivered > 0 {
                Text(Words.trailUndelivered, "\(undelivered)").font(.footnote)
            }
            if let brokenAt = model.brokenAt { Text(Words.trailBroken, "\(brokenAt)").font(.footnote) }
            events
            if model.hasEarlier {
                WideButton(.trailEarlier) { Task { await model.loadEarlier() } }.disabled(model.loading)
            } else if model.isIncomplete {
                Text(Words.trailIncomplete).font(.footnote)
            }
        }
        .onAppear { Task { await model.load() } }
    }

    @ViewBuilder private var events: some View {
        if !model.events.isEmpty {
            VStack(alignment: .leading, spacing: 16) {
                ForEach(model.events.indices, id: \.self) { index in
                    TrailRow(event: model.events[index], factor: model.strongFactor)
                }
            }
        } else if model.loading {
            ProgressView()
        } else if model.error == nil {
            Text(Words.trailEmpty)
        }
    }
}

private struct TrailRow: View {
    let event: TrailEvent
    let factor: VaultPolicy.StrongFactor

    var body: some View {
        VStack(alignment: .leading, spacing: 4) {
            Text(event.heading(asking: factor)).font(.headline)
            ForEach(event.details(asking: factor), id: \.self) { detail in Text(detail).font(.footnote) }
            HStack {
                Text(Date(event.at), style: .date)
                Text(Date(event.at), style: .time)
            }
            .font(.footnote)
        }
        .accessibilityElement(children: .combine)
    }
}

extension Text {
    /// Creates the text of a detail; the reason that an app gave is in no catalogue.
    fileprivate init(_ detail: TrailEvent.Detail) {
        if let argument = detail.argument {
            self.init(detail.words, argument)
        } else if detail.words.english == detail.words.french {
            self.init(verbatim: detail.words.english)
        } else {
            self.init(detail.words)
        }
    }
}
#endif
