#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The process that may die: it tries the mutants of one target.
struct Child: Sendable {
    let target: Target
    let options: Options

    /// What a parser may take beyond what the process has before the first mutant; more stops the process.
    private static let allowance: UInt64 = 192 << 20

    func run(in folder: String) async throws {
        let (samples, attempt) = try await target.prepare(folder)
        let recorder = try FlightRecorder(folder + "/recorder")
        let residentBefore = limitMemory()
        var mutator = Mutator(random: SeededGenerator(seed: 0), pageByteCount: target.pageByteCount)
        var refused = 0
        var tried = 0
        let start = time(nil)
        while tried < options.count, time(nil) - start < options.seconds {
            mutator.random = SeededGenerator(seed: options.seed &+ UInt64(tried) &* 0x1_0000_0001)
            let mutant = mutator.mutant(of: samples[tried % samples.count])
            recorder.record(tried, mutant)
            do { try await attempt(mutant) } catch { refused += 1 }
            tried += 1
        }
        let result = "\(tried) \(refused) \(time(nil) - start) \(max(0, Self.field("VmHWM:") - residentBefore))"
        try File.write(Array(result.utf8), to: folder + "/result")
    }

    /// A parser that believes a length would ask for gigabytes: then the process stops, and the parent says why.
    ///
    /// - Returns: the resident KiB before the first mutant, from which on the peak counts.
    private func limitMemory() -> Int {
        let used = UInt64(Self.field("VmSize:")) << 10
        var limit = rlimit(rlim_cur: rlim_t(used + Self.allowance), rlim_max: rlim_t(used + Self.allowance))
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        if let file = unsafe fopen("/proc/self/clear_refs", "w") {
            unsafe fputs("5", file)
            unsafe fclose(file)
        }
        return Self.field("VmRSS:")
    }

    /// A line of `/proc/self/status`, in KiB; 0 where there is none.
    private static func field(_ name: String) -> Int {
        guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while unsafe fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.hasPrefix(name) {
                return text.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
            }
        }
        return 0
    }
}

/// Stops the process over an answer that must not be, as a trap would: the parent shows the input.
func reportBug(_ what: String) {
    print("fuzz: \(what)")
    fflush(nil)
    abort()
}
