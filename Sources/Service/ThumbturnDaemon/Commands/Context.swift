import ThumbturnConsole
import ThumbturnService

/// Everything a command works with.
struct Context: Sendable {
    let environment: Environment
    let output: Output

    /// Runs a command.
    ///
    /// - Returns: the exit code.
    func run(_ command: Command) throws(Failure) -> Int32 {
        switch command {
        case .serve(let options): return try ServeCommand(options: options, environment: environment).run()
        case .createServiceKey(let places): try createServiceKey(places)
        case .showServiceKey(let places): try showServiceKey(places)
        case .rotateServiceKey(let places, let isPreparation):
            return try isPreparation ? prepareRotation(places) : rotateServiceKey(places)
        case .createKeys(let signers, let witness, let places): try createKeys(signers, witness, places)
        case .showPublicKeys(let signers, let places): try showPublicKeys(signers, places)
        case .restored(let places): return try raiseEpochs(places)
        case .showAccount(let name, let places): try showAccount(name, places)
        case .closeAccount(let name, let places): try closeAccount(name, places)
        case .countAccounts(let places): try countAccounts(places)
        case .exportLog(let log, let places): try exportLog(log, places)
        case .checkLedger(let before, let places): return try checkLedger(before: before, places)
        case .createAuditor(let name, let places): try createAuditor(name, places)
        case .removeAuditor(let name, let places): try removeAuditor(name, places)
        case .help(let name):
            let text = Help.all.text(about: name, in: output.language)
            try output.print(Words(text), json: ["help": .string(text)])
        case .version:
            try output.print(Words("thumbturnd \(Tool.version)"), json: ["version": .string(Tool.version)])
        }
        return 0
    }
}

/// Opens a connection to the database.
///
/// - Parameter making: whether to create a missing one.
func open(_ location: StoreLocation, making: Bool = true) throws(Failure) -> any Store {
    do throws(StoreError) { return try location.open(making: making) } catch { throw Failure(error) }
}
