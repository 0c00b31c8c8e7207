import Glibc

/// Formats dates for HTTP (RFC 9110 §5.6.7).
enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns the date for seconds since 1970, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(_ seconds: Int) -> String {
        var (seconds, date) = unsafe (time_t(seconds), tm())
        guard unsafe gmtime_r(&seconds, &date) != nil else { return "" }
        let (day, month) = unsafe (days[Int(date.tm_wday)], months[Int(date.tm_mon)])
        let clock = unsafe [date.tm_hour, date.tm_min, date.tm_sec].map(twoDigits).joined(separator: ":")
        return unsafe "\(day), \(twoDigits(date.tm_mday)) \(month) \(1900 + date.tm_year) \(clock) GMT"
    }

    private static func twoDigits(_ number: CInt) -> String { (number < 10 ? "0" : "") + String(number) }
}
