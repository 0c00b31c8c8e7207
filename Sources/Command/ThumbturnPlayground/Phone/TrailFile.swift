import ThumbturnFiles

/// An export of the trail, as it is written.
final class TrailFile: Sendable {
    private let bytes = Monitor<[UInt8]>([])

    func append(_ more: [UInt8]) { bytes.change { $0 += more } }

    var text: String { bytes.change { String(decoding: $0, as: UTF8.self) } }
}
