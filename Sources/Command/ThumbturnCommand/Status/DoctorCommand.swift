import Thumbturn
import ThumbturnConsole
import ThumbturnFiles

#if canImport(ThumbturnLinux)
import ThumbturnLinux
#endif

// doctor.
extension Context {
    /// Reports what this machine has, how well it protects, and what can be fixed; leaves nothing behind.
    func showDoctor() async throws {
        var report = DoctorReport()
        #if canImport(ThumbturnLinux)
        let linux = environment.linux
        let machine = await LinuxMachine.look(
            tcti: linux.tpm,
            bus: linux.bus,
            ownedBy: linux.owner,
            machineFile: linux.machineFile
        )
        report.add(machine)
        let seen: SeenTPM? = (machine.tpm, machine.lockout, machine.isFull)
        #else
        let seen: SeenTPM? = nil
        #endif
        if let folder = try? vaultFolder() {
            var there = folder
            while there != "/", Folders.isAbsent(there) { there = OpenFolder.parent(of: there) }
            report.add(FolderNeed.missing(in: there), of: there)
        }
        report.addProcess(memoryIsLocked: StatusReport.memoryIsLocked, isHardened: Hardening.isInForce)
        report.add(exposed: exposedFolders())
        report.add(damaged: damagedKeys())
        var assurance: Assurance?
        do throws(Failure) {
            let prospect = try await firstChoice(isQuiet: true, seen)
            report.add(prospect)
            assurance = prospect.assurance
        } catch {
            // If no device was asked for, the report says that there is none.
            guard options.device == nil else { throw error }
            report.addNoDevice(error)
        }
        try output.print(Words(report.text(on: output)), json: .object(report.members))
        try requireHardware(of: assurance)
    }
}
