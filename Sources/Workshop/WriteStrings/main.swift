import Foundation
import ThumbturnRules

// `swift run WriteStrings`, in the package's folder: writes anew what follows from words in the source, the interface's
// string catalogue and the table of error codes. Tests hold both files against the words, so it is run after every change
// of them.
try StringCatalogue(Words.catalogue).file.write(
    to: URL(fileURLWithPath: "Sources/Screens/ThumbturnUI/Resources/Localizable.xcstrings")
)
try Data(ErrorTable.file.utf8).write(to: URL(fileURLWithPath: "docs/errors.md"))
