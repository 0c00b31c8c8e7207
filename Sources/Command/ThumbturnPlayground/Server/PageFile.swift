import CPage
import ThumbturnHTTP

/// The files of the page, which are part of the program.
enum PageFile: CaseIterable, Sendable {
    case html, script, style, tours

    var path: String {
        switch self {
        case .html: "/"
        case .script: "/page.js"
        case .style: "/page.css"
        case .tours: "/tours.json"
        }
    }

    var response: HTTPResponse {
        HTTPResponse(status: 200, headers: [("Content-Type", type)], body: bytes).guarded
    }

    private var type: String {
        switch self {
        case .html: "text/html; charset=utf-8"
        case .script: "text/javascript; charset=utf-8"
        case .style: "text/css; charset=utf-8"
        case .tours: "application/json"
        }
    }

    private var bytes: [UInt8] {
        let file =
            switch self {
            case .html: unsafe page_html()
            case .script: unsafe page_script()
            case .style: unsafe page_style()
            case .tours: unsafe page_tours()
            }
        return unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}
