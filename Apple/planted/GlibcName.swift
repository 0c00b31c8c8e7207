// expect: cannot find '__rlimit_resource_t' in scope
// for: arm64-apple-macosx15.0
import CrashExplorer
import Darwin
import ThumbturnTestKit

func leave() {
    var limit = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE), &limit)
}
