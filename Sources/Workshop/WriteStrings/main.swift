import Foundation
import ThumbturnRules

// `swift run WriteStrings`, in the package's folder, regenerates the files that follow from texts in the source: the
// interface's string catalogue and the table of error codes. Tests compare both files with the texts, so run it after
// every change to them.
try StringCatalogue(Words.catalogue).file.write(
    to: URL(fileURLWithPath: "Sources/Screens/ThumbturnUI/Resources/Localizable.xcstrings")
)
try Data(ErrorTable.file.utf8).write(to: URL(fileURLWithPath: "docs/errors.md"))
