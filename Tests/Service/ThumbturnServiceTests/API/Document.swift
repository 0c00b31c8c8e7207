import Testing
import ThumbturnHTTP
import ThumbturnJSON

@testable import ThumbturnService

/// The document that the service gives of itself, to hold its answers against.
enum Document {
    /// The document as clients get it.
    static let json: JSON = {
        let router = Router<Worker>(API.endpoints.map(\.route))
        let bytes = API.document(of: router, version: "0")
        return (try? JSON(reading: bytes, byteLimit: bytes.count)) ?? .null
    }()

    /// What the document says of a call.
    static func operation(_ method: HTTPMethod, _ route: String) -> JSON? {
        json["paths"]?[route]?[method.rawValue.lowercased()]
    }

    /// Records an issue unless the document has this answer: its status, its form, and its code.
    static func check(_ reply: Reply, _ method: HTTPMethod, _ route: String) throws {
        guard !route.isEmpty else { return }
        let answer = try #require(operation(method, route)?["responses"]?[String(reply.status)], "\(method) \(route)")
        if let code = reply.code {
            let words = try #require(answer["description"]?.text)
            #expect(words.contains("`\(code)`"), "\(method) \(route) answers \(code)")
        }
        guard let content = answer["content"]?.members.first else {
            #expect(reply.body.isEmpty, "\(method) \(route)")
            return
        }
        let type = try #require(reply.header("Content-Type"))
        #expect(type == content.0 || type.hasPrefix(content.0 + ";"), "\(method) \(route)")
        if content.0 == JSONLines.type {
            let line = try #require(content.1["schema"]?["contentSchema"])
            #expect(try lines(of: reply.body).allSatisfy { fits($0, line) }, "\(method) \(route)")
            return
        }
        guard content.0.hasSuffix("json") else { return }
        #expect(fits(reply.json, try #require(content.1["schema"])), "\(method) \(route): \(reply.json)")
    }

    /// The values of content that has one on each line.
    static func lines(of content: [UInt8]) throws -> [JSON] {
        try #require(content.isEmpty || content.last == UInt8(ascii: "\n"))
        return try content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .map { try JSON(reading: Array($0), byteLimit: $0.count) }
    }

    /// Whether a value is of a form, as far as our document uses JSON Schema.
    static func fits(_ value: JSON, _ schema: JSON) -> Bool {
        if let reference = schema["$ref"]?.text, let name = reference.split(separator: "/").last {
            return json["components"]?["schemas"]?[String(name)].map { fits(value, $0) } ?? false
        }
        if let constant = schema["const"]?.text { return value.text == constant }
        if let choices = schema["enum"]?.elements { return choices.contains { $0.text == value.text } }
        switch schema["type"]?.text {
        case "string":
            guard let text = value.text else { return false }
            guard let pattern = schema["pattern"]?.text else { return true }
            return (try? Regex(pattern).wholeMatch(in: text)) != nil
        case "integer":
            guard let number = value.number else { return false }
            return number >= schema["minimum"]?.number ?? .min && number <= schema["maximum"]?.number ?? .max
        case "array":
            guard let elements = value.elements, let items = schema["items"] else { return false }
            return elements.allSatisfy { fits($0, items) }
        case "object":
            guard case .object(let members) = value else { return false }
            let properties = schema["properties"]
            let isClosed = if case .bool(false)? = schema["additionalProperties"] { true } else { false }
            let hasAll = (schema["required"]?.elements ?? []).allSatisfy { name in
                members.contains { $0.0 == name.text }
            }
            return hasAll
                && members.allSatisfy { name, value in properties?[name].map { fits(value, $0) } ?? !isClosed }
        default: return false
        }
    }
}
