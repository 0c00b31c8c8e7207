import ThumbturnConsole
import ThumbturnService

// Commands about the service key. Only its identifier is ever printed.
extension Context {
    func createServiceKey(_ places: Places) throws(Failure) {
        let file = try environment.serviceKey(places)
        let identifier = try keyed { () throws(ServiceKeyError) in try file.create() }
        try output.print(
            Words(
                "made the service key \(identifier.text): keep a copy apart from the database's backups",
                "clé de service \(identifier.text) créée : gardez-en une copie à part des sauvegardes de la base"
            ),
            json: ["serviceKey": .string(identifier.text)]
        )
    }

    func showServiceKey(_ places: Places) throws(Failure) {
        let file = try environment.serviceKey(places)
        let names = try keyed { () throws(ServiceKeyError) in try file.identifiers() }.map(\.text)
        try output.print(Words(names.joined(separator: "\n")), json: ["serviceKeys": .array(names.map { .string($0) })])
    }

    /// Adds the new key after the one that seals.
    ///
    /// - Returns: the exit code.
    func prepareRotation(_ places: Places) throws(Failure) -> Int32 {
        let file = try environment.serviceKey(places)
        let names = try keyed { () throws(ServiceKeyError) in try file.identifiers() }
        guard names.count == 1 else {
            throw Failure(
                .usage,
                statement: Words("A rotation is prepared already.", "Une rotation est déjà préparée."),
                hint: Words(
                    "go on with `thumbturnd service-key rotate`",
                    "continuez avec `thumbturnd service-key rotate`"
                )
            )
        }
        let identifier = try keyed { () throws(ServiceKeyError) in try file.add() }
        try output.print(
            Words(
                "added the key \(identifier.text): copy the file to every instance, then rotate",
                "clé \(identifier.text) ajoutée : copiez le fichier vers chaque instance, puis lancez la rotation"
            ),
            json: ["serviceKey": .string(identifier.text)]
        )
        return 0
    }

    /// - Returns: the exit code: 4 if a value does not open, for which the former key is kept.
    func rotateServiceKey(_ places: Places) throws(Failure) -> Int32 {
        let store = try open(environment.store(places), making: false)
        let rotation = ServiceKeyRotation(of: try environment.serviceKey(places), in: store)
        let report: ServiceKeyRotation.Report
        do throws(ServiceKeyRotationError) { report = try rotation.run() } catch {
            switch error {
            case .file(let error): throw Failure(error)
            case .store(let error): throw Failure(error)
            }
        }
        let name = report.identifier.text
        try output.print(
            Words(
                "the service key is now \(name); rows resealed: \(report.sealed)",
                "la clé de service est désormais \(name) ; lignes rescellées : \(report.sealed)"
            ),
            json: ["serviceKey": .string(name), "sealed": JSON(report.sealed), "refused": JSON(report.refused)]
        )
        return noteRefused(report.refused)
    }

    /// - Returns: the exit code: 4 if a value does not open.
    func raiseEpochs(_ places: Places) throws(Failure) -> Int32 {
        let store = try open(environment.store(places), making: false)
        let file = try environment.serviceKey(places)
        let keys = try keyed { () throws(ServiceKeyError) in try ServiceKeys(file) }
        let report: Restoration.Report
        do throws(StoreError) { report = try Restoration.run(in: store, keys) } catch { throw Failure(error) }
        var words = Words(
            "all logins have ended; accounts whose epoch was raised: \(report.raised)",
            "toutes les sessions sont terminées ; comptes dont l'époque a augmenté : \(report.raised)"
        )
        if let first = report.origins.first {
            let count = report.origins.count
            words =
                words
                + Words("\naudit logs begun: \(count), \(first)", "\njournaux d'audit commencés : \(count), \(first)")
                + Words(count > 1 ? " …" : "")
        }
        try output.print(
            words,
            json: [
                "raised": JSON(report.raised), "refused": JSON(report.refused),
                "logs": .array(report.origins.map { .string($0) }),
            ]
        )
        return noteRefused(report.refused)
    }

    private func noteRefused(_ count: Int) -> Int32 {
        guard count > 0 else { return 0 }
        output.note(
            Words(
                "rows that do not open, because they were changed or moved: \(count)",
                "lignes qui ne s'ouvrent pas, car modifiées ou déplacées : \(count)"
            )
        )
        return 4
    }

    func keyed<Result>(_ call: () throws(ServiceKeyError) -> Result) throws(Failure) -> Result {
        do throws(ServiceKeyError) { return try call() } catch { throw Failure(error) }
    }
}
