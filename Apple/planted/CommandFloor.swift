// expect: 'replacing\(_:with:maxReplacements:\)' is only available in macOS 13\.0 or newer
// for: arm64-apple-macosx12.0
import ThumbturnConsole

func plain(_ output: ChildProcess) -> String { output.standardOutput.replacing("\n", with: " ") }
