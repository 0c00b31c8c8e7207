package import ThumbturnJSON
package import ThumbturnRules

extension TrailFields {
    /// Every field of the screen, its words, and what it offers.
    package func json(in language: Language) -> JSON {
        .sorted(
            face(in: language).members(in: language) + [
                ("brokenAt", brokenAt.map { JSON($0) } ?? .null),
                ("error", error?.json ?? .null),
                ("events", .array(events.map { $0.json(in: language, asking: strongFactor) })),
                ("hasEarlier", .bool(hasEarlier)),
                ("isIncomplete", .bool(isIncomplete)),
                ("loading", .bool(loading)),
                ("strongFactor", .string(strongFactor.name)),
                ("undelivered", undelivered.map { JSON($0) } ?? .null),
            ]
        )
    }

    private func face(in language: Language) -> ScreenFace {
        var face = ScreenFace(title: .trail)
        if error != nil { face.texts.append(Words.trailUnreadable.in(language)) }
        if let undelivered, undelivered > 0 {
            face.texts.append(Words.trailUndelivered.in(language, "\(undelivered)"))
        }
        if let brokenAt { face.texts.append(Words.trailBroken.in(language, "\(brokenAt)")) }
        if events.isEmpty, !loading, error == nil { face.texts.append(Words.trailEmpty.in(language)) }
        if hasEarlier {
            face.offer(.trail(.earlier), .trailEarlier)
        } else if isIncomplete {
            face.texts.append(Words.trailIncomplete.in(language))
        }
        return face
    }
}

extension TrailEvent {
    /// Every field of the event, and its words.
    fileprivate func json(in language: Language, asking factor: VaultPolicy.StrongFactor) -> JSON {
        let details = details(asking: factor).map { $0.words.in(language, $0.argument ?? "") }
        return [
            "at": .integer(at.count), "attemptCount": .integer(Int64(attemptCount)),
            "biometryType": JSON(biometryType?.name), "count": .integer(Int64(count)),
            "details": .array(details.map(JSON.string)), "kind": .string(kind.name), "reason": JSON(reason),
            "seq": seq.map { JSON($0) } ?? .null, "title": .string(heading(asking: factor).in(language)),
            "until": until.map { .integer($0.count) } ?? .null,
        ]
    }
}
