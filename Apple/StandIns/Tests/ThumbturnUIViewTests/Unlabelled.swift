import SwiftUI

extension Window {
    /// What VoiceOver says of controls that have no name.
    var unlabelled: [String] {
        let kinds = ["button", "switch", "text field", "secure text field", ", "]
        return spoken.filter { said in kinds.contains { said.hasPrefix($0) } }
    }
}
