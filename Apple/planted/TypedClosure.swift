// expect: runtime support for typed throws function types is only available in macOS 15\.0\.0 or newer
// for: arm64-apple-macosx12.0
import ThumbturnConsole

func count(_ calls: [(String, () throws(Failure) -> Void)]) -> Int { 0 }
