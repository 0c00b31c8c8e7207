// expect: 'contains' is only available in (iOS 16\.0|macOS 13\.0) or newer
func isUTF8(_ locale: String) -> Bool { locale.contains("UTF-8") }
