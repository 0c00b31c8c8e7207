package import ThumbturnJSON
package import ThumbturnRules

extension WordsFields {
    /// Every field of the screen, its words, and what it offers; never one of the wallet's words.
    package func json(in language: Language) -> JSON {
        .sorted(
            face(in: language).members(in: language) + [
                ("asksSystem", .bool(asksSystem)),
                ("error", error?.json ?? .null),
                ("isHidden", .bool(isHidden)),
                ("loading", .bool(loading)),
                ("place", place.map { JSON($0) } ?? .null),
                ("questionsLeft", JSON(questionsLeft)),
                ("step", .string(step.name)),
                ("wrongPlace", wrongPlace.map { JSON($0) } ?? .null),
            ]
        )
    }

    private func face(in language: Language) -> ScreenFace {
        var face = ScreenFace(title: .wordsTitle)
        switch step {
        case .secret:
            face.texts = [Words.wordsFirst.in(language)]
            face.offer(.words(asksSystem ? .enterBySystem : .submitSecret), .unlock)
        case .words where isHidden: face.texts = [Words.screenCaptured.in(language)]
        case .words:
            face.texts = [Words.writeWordsDown.in(language)]
            face.offer(.words(.showWords), .showWords)
            face.offer(.words(.wordsWritten), .wordsWritten)
        case .question:
            if let wrongPlace { face.texts.append(Words.wordWrong.in(language, "\(wrongPlace)")) }
            if let place {
                face.texts.append(Words.wordAsked.in(language, "\(place)"))
                face.offer(.words(.answer), .send)
            }
            face.texts.append(Words.wordsLeft.in(language, "\(questionsLeft)"))
        case .done:
            face.texts = [Words.wordsDone.in(language)]
            face.offer(.words(.cancel), .done)
            return face
        }
        face.offer(.words(.cancel), .cancel)
        return face
    }
}
