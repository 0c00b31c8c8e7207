// expect: 'ContinuousClock' is only available in (iOS 16\.0|macOS 13\.0) or newer
import ThumbturnRules

func span(since start: ClockReading) -> ContinuousClock.Instant? { nil }
