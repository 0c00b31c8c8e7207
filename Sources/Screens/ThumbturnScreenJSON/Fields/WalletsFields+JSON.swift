package import ThumbturnJSON
package import ThumbturnRules

extension WalletsFields {
    /// Every field of the list; an app has a view of its own for it, and of our screens it opens the one of the words.
    package func json(in language: Language) -> JSON {
        [
            "asksSystem": .bool(asksSystem), "error": error?.json ?? .null,
            "list": .array(list.map { $0.json(in: language) }), "loading": .bool(loading),
        ]
    }
}

extension WalletsFields.Wallet {
    fileprivate func json(in language: Language) -> JSON {
        var face = ScreenFace()
        if kind == .mnemonic { face.offer(.words(.show(wallet: id)), .showWords) }
        return .sorted(
            face.members(in: language) + [
                ("id", .string(id.text)), ("kind", .string(kind.name)), ("name", .string(name.text)),
            ]
        )
    }
}
