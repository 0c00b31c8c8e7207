package import ThumbturnDevice
package import ThumbturnRules

extension TPMStore {
    /// Finds out why the TPM refuses these items, if it can say; changes nothing.
    ///
    /// - Parameter names: the wanted items.
    package func trouble(with names: [ItemName]) async -> TPMTrouble? {
        do throws(DeviceRefusal) {
            return try await onThread { store throws(DeviceRefusal) in try store.look(for: names) }
        } catch {
            return .silent
        }
    }

    private func look(for names: [ItemName]) throws(DeviceRefusal) -> TPMTrouble? {
        // A missing or damaged file is not the TPM's fault.
        let homes = Set(names.compactMap { try? record(of: $0, nil)?.home })
        return try tpm.talk { context throws(TPMFailure) in
            let standing = try context.standing()
            guard standing.owner.isOn else { return .ownerIsOff }
            do throws(TPMFailure) {
                for home in homes { _ = try context.parent(named: home) }
            } catch {
                if error == .anotherTPM { return .another }
                if error.known == .notAuthorised { return .ownerHasPassword }
                throw error
            }
            if standing.lockout.isLockedOut { return .lockedOut(atMost: standing.lockout.longestWait) }
            return standing.isFull ? .full : nil
        }
    }
}
