import Testing
import Thumbturn
import ThumbturnConsole

@testable import ThumbturnCommand

/// What `--device`, or its absence, stands for on a build with these devices besides the simulated one.
struct DeviceOptionTests {
    @Test(.holds("C14")) func `where nothing but the simulated device can be used, nobody gets it without asking`()
        throws
    {
        let failure = try #require(throws: Failure.self) { try DeviceOption.chosen(nil, among: []) }
        #expect(failure.code == .storageUnavailable && failure.exitCode == 3)
        for language in Language.allCases {
            #expect(Advice.none.hint(of: failure).in(language).contains("--device simulated"))
            #expect(!failure.message(in: language).contains("simul"))
        }
        #expect(try DeviceOption.chosen(.simulated, among: []) == .simulated)
    }

    @Test(arguments: [DeviceOption.linux, .files])
    func `a device that is not in the build is refused with the one that is`(option: DeviceOption) throws {
        let failure = try #require(throws: Failure.self) { try DeviceOption.chosen(option, among: []) }
        #expect(failure.code == .storageUnavailable)
        #expect(failure.hint?.english == "use --device simulated")
    }

    @Test func `on Linux what is named is taken, and without a name the best there is`() throws {
        #expect(try DeviceOption.chosen(nil, among: [.linux]) == .linux)
        for option in DeviceOption.allCases { #expect(try DeviceOption.chosen(option, among: [.linux]) == option) }
    }

    @Test func `doctor says what to type where no device is there`() throws {
        var report = DoctorReport()
        report.addNoDevice(try #require(throws: Failure.self) { try DeviceOption.chosen(nil, among: []) })
        let output = Output(
            of: Tool.name,
            environment: Environment(values: [:]),
            isJSON: false,
            hints: Advice.none.hints
        )
        let text = report.text(on: output)
        #expect(text.contains("no device here guards keys") && text.contains("--device simulated"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(JSON.object(report.members).text == "{\"newVault\":null}")
    }
}
