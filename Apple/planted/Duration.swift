// expect: 'Duration' is only available in (iOS 16\.0|macOS 13\.0) or newer
func isLong(_ idle: Duration) -> Bool { true }
