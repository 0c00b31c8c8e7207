import Thumbturn
import ThumbturnConsole

#if canImport(ThumbturnLinux)
import ThumbturnLinux
#endif

// doctor.
extension Context {
    /// Tells what this machine has, what that is worth, and what could be mended; nothing is made.
    func showDoctor() async throws {
        var report = DoctorReport()
        #if canImport(ThumbturnLinux)
        let linux = environment.linux
        report.add(
            await LinuxMachine.look(
                tcti: linux.tpm,
                bus: linux.bus,
                ownedBy: linux.owner,
                machineFile: linux.machineFile
            )
        )
        #endif
        report.addProcess(memoryIsLocked: StatusReport.memoryIsLocked, isHardened: Hardening.isInForce)
        var assurance: Assurance?
        do throws(Failure) {
            let prospect = try await firstChoice(isQuiet: true)
            report.add(prospect)
            assurance = prospect.assurance
        } catch {
            // Asked for nothing, it tells that there is nothing.
            guard options.device == nil else { throw error }
            report.addNoDevice(error)
        }
        try output.print(Words(report.text(on: output)), json: .object(report.members))
        try requireHardware(of: assurance)
    }
}
