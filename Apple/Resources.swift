// Compiled into ThumbturnUI by check.sh, and nowhere else: stands for what SwiftPM generates for a room with resources, and
// shows what `canImport` sees in that build.
import Foundation

#if !canImport(SwiftUI) || !canImport(Combine)
#error("the views were skipped")
#endif

extension Bundle {
    static let module = Bundle.main
}
