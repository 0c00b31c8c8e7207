import Foundation
import ThumbturnRules

// `swift run WriteStrings`, in the package's folder: writes the interface's string catalogue anew. A test holds the file
// against the words, so it is run after every change of them.
try StringCatalogue(Word.catalogue).file.write(
    to: URL(fileURLWithPath: "Sources/ThumbturnUI/Resources/Localizable.xcstrings")
)
