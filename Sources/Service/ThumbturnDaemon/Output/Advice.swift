import ThumbturnConsole

/// Hints for failures that have none of their own.
enum Advice {
    static let hints = Hints(
        unwritten: Words("the command may have succeeded", "la commande a peut-être abouti"),
        complete: { $0 },
        hint: { $0.hint ?? hint($0.code) }
    )

    private static func hint(_ code: ErrorCode) -> Words {
        switch code {
        case .usage: Words("see `thumbturnd help`", "voir `thumbturnd help`")
        case .diskFull: Words("make room, then try again", "libérez de la place, puis réessayez")
        case .vaultDamaged:
            Words("restore the database from a backup", "restaurez la base depuis une sauvegarde")
        default: Words("try again", "réessayez")
        }
    }
}
