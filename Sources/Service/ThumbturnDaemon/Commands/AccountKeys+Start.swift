import ThumbturnConsole
import ThumbturnService

extension AccountKeys {
    /// Loads the keys for a database, and closes it; if it is new and there is no service key, creates one.
    ///
    /// A new database next to an existing key may be a first start, or mean that the database file is missing.
    static func taken(
        for store: any Store,
        from file: ServiceKeyFile,
        _ log: ServiceLog
    ) throws(Failure) -> AccountKeys {
        defer { store.close() }
        let isNew: Bool
        do throws(StoreError) { isNew = try !NameKey.isEstablished(in: store) } catch { throw Failure(error) }
        if try file.isAbsent() {
            // A new key would open none of the existing data.
            guard isNew else { throw Failure(ServiceKeyError.absent) }
            try file.make()
            log.record(.info, "service key made", at: .now())
        } else if isNew {
            log.record(.warning, "a new database beside a service key that was there", at: .now())
        }
        let keys: ServiceKeys
        do throws(ServiceKeyError) { keys = try ServiceKeys(file) } catch { throw Failure(error) }
        do throws(StoreError) {
            return try AccountKeys(names: .establish(in: store, keys), service: keys, store: store)
        } catch {
            throw Failure(error)
        }
    }
}

extension ServiceKeyFile {
    /// Returns whether the file is missing; throws if it could not be created.
    func isAbsent() throws(Failure) -> Bool {
        do throws(ServiceKeyError) {
            _ = try identifiers()
            return false
        } catch {
            guard error == .absent else { throw Failure(error) }
            do throws(ServiceKeyError) { try requirePlace() } catch { throw Failure(error) }
            return true
        }
    }

    /// Creates the file, unless another instance was first.
    fileprivate func make() throws(Failure) {
        do throws(ServiceKeyError) { try create() } catch {
            guard error == .taken else { throw Failure(error) }
        }
    }
}
