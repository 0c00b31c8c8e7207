package import ThumbturnJSON
package import ThumbturnRules

extension BackupFields {
    /// Every field of the screen, its words, and what it offers; the reminder has its own.
    package func json(in language: Language) -> JSON {
        .sorted(
            face(in: language).members(in: language) + [
                ("advice", advice?.json(in: language) ?? .null),
                ("asksSystem", .bool(asksSystem)),
                ("done", done.map { JSON($0) } ?? .null),
                ("error", error?.json ?? .null),
                ("loading", .bool(loading)),
                ("madeAt", madeAt.map { .integer($0.count) } ?? .null),
                ("obstacle", obstacle?.json(in: language) ?? .null),
                ("path", JSON(path)),
                ("step", .string(step.name)),
                ("total", JSON(total)),
            ]
        )
    }

    private func face(in language: Language) -> ScreenFace {
        var face = ScreenFace(title: .backup)
        switch step {
        case .start:
            face.texts = [Words.backupIs.in(language), last(in: language)]
            if let obstacle { face.texts.append(obstacle.message().in(language)) }
            if obstacle == nil, !loading { face.offer(.backup(.start), .makeBackup) }
        case .secret:
            face.offer(.backup(asksSystem ? .enterBySystem : .submitSecret), .unlock)
            face.offer(.backup(.cancel), .cancel)
        case .running: face.texts = [Words.backupRunning.in(language, "\(done ?? 0) / \(total)")]
        case .made:
            face.texts = [Words.backupDone.in(language)]
            if let path {
                let file = path.split(separator: "/").last.map(String.init) ?? path
                face.texts.append(Words.backupFile.in(language, file))
            }
            face.offer(.backup(.cancel), .done)
        }
        return face
    }

    /// When the last backup was made: the day, in UTC.
    private func last(in language: Language) -> String {
        guard let madeAt else { return Words.backupOlder.in(language) }
        return "\(Words.backupMade.in(language)): \(madeAt.utcText.prefix(10))"
    }
}

extension BackupAdvice {
    /// The reminder: its text, the label of the button that shows the screen of its name, and the way to put it off.
    fileprivate func json(in language: Language) -> JSON {
        var face = ScreenFace()
        face.texts = [(self == .recoveryKey ? Words.adviseRecoveryKey : .adviseBackup).in(language)]
        face.offer(.backup(.later), .later)
        let label = self == .recoveryKey ? Words.makeRecoveryKey : .makeBackup
        return .sorted(
            face.members(in: language) + [("label", .string(label.in(language))), ("screen", .string(name))]
        )
    }
}
