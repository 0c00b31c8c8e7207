import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs the compiler that built these tests on the modules next to them, to show that forbidden code does not compile.
package enum Compiler {
    /// An error reported by the compiler.
    package struct Diagnostic: CustomStringConvertible, Sendable {
        /// Its line, counted from 1.
        package let line: Int
        package let message: String

        package var description: String { "\(line): \(message)" }
    }

    /// The compiler could not run, or a module is missing, which proves nothing.
    package struct NotRun: Error {
        let output: String
    }

    /// Compiles up to the ownership checks, which run after type checking and only if that succeeds.
    ///
    /// - Throws: `NotRun`.
    package static func errors(in source: String) throws -> [Diagnostic] {
        let folder = try TemporaryFolder()
        try folder.write(Array(source.utf8), to: "Source.swift")
        var words = [
            "swiftc", "-swift-version", "6", "-parse-as-library", "-emit-sil", "-o", folder.file("out"),
            "-module-name", "Source", "-I", modules, "-diagnostic-style", "llvm", "-module-cache-path",
            NSTemporaryDirectory() + "thumbturn-module-cache", folder.file("Source.swift"),
        ]
        for module in try FileManager.default.contentsOfDirectory(atPath: sources + "/System") {
            let map = "\(sources)/System/\(module)/module.modulemap"
            guard FileManager.default.fileExists(atPath: map) else { continue }
            words += ["-Xcc", "-fmodule-map-file=\(map)"]
        }
        let (text, status) = try output(of: words.map { "'\($0)'" }.joined(separator: " ") + " 2>&1 >/dev/null")
        let errors = text.split(separator: "\n").compactMap(diagnostic)
        guard (status == 0) == errors.isEmpty, !text.contains("no such module"),
            !text.contains("missing required module")
        else { throw NotRun(output: text) }
        return errors
    }

    /// The folder of the modules' sources.
    ///
    /// Modules built for tests also need the C headers they depend on.
    package static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// Runs a shell command; Foundation's `Process` reads beyond the last entry of `/proc/self/fd` if there are many.
    private static func output(of command: String) throws -> (text: String, status: Int32) {
        guard let stream = unsafe popen(command, "r") else { throw NotRun(output: "no shell") }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while case let count = unsafe fread(&chunk, 1, chunk.count, stream), count > 0 { bytes += chunk[..<count] }
        return (String(decoding: bytes, as: UTF8.self), unsafe pclose(stream))
    }

    private static func diagnostic(_ line: Substring) -> Diagnostic? {
        guard let range = line.range(of: ": error: ") else { return nil }
        let place = line[..<range.lowerBound].split(separator: ":")
        return Diagnostic(
            line: place.dropLast().last.flatMap { Int($0) } ?? 0,
            message: String(line[range.upperBound...])
        )
    }

    /// The folder where the build puts modules: next to the tests.
    private static let modules: String = {
        #if os(Linux)
        let products = Bundle.main.bundleURL
        #else
        let products = Bundle(for: TemporaryFolder.self).bundleURL.deletingLastPathComponent()
        #endif
        return products.appendingPathComponent("Modules").path
    }()
}
