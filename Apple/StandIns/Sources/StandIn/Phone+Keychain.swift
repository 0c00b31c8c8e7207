import Foundation

extension Phone {
    /// `SecItemAdd`.
    ///
    /// It never prompts [apple-src].
    public func add(_ query: Query) -> (status: Int32, row: Row?) {
        interlude(.itemAdd)
        return withState { state in
            let effect = state.enter(.itemAdd)
            if case .refuses(let code) = effect { return (Int32(code), nil) }
            var (status, row) = state.add(query)
            if status == Status.success, var added = row {
                if case .drops(let names) = effect {
                    added.drop(names)
                    state.rows[state.rows.count - 1] = added
                }
                row = added
            }
            if case .happensButReports(let code) = effect { status = Int32(code) }
            return (status, row)
        }
    }

    /// `SecItemCopyMatching`.
    ///
    /// It blocks as long as a prompt is up.
    public func copy(_ query: Query) -> (status: Int32, rows: [Row]) {
        let effect = withState { $0.enter(.itemCopy) }
        if case .refuses(let code) = effect { return (Int32(code), []) }
        var (status, rows) = copyMatching(query)
        if case .drops(let names) = effect { for index in rows.indices { rows[index].drop(names) } }
        if case .happensButReports(let code) = effect { (status, rows) = (Int32(code), []) }
        return (status, rows)
    }

    private func copyMatching(_ query: Query) -> (status: Int32, rows: [Row]) {
        let (refusal, numbers) = withState { state in (state.refusal(query), state.matching(query)) }
        if let refusal { return (refusal, []) }
        var found: [Row] = []
        for row in numbers {
            switch open(row, query) {
            case .success(let row): found.append(row)
            case .failure(.skipped): continue
            case .failure(.status(let status)): return (status, [])
            }
            if !query.all { break }
        }
        return found.isEmpty ? (Status.itemNotFound, []) : (Status.success, found)
    }

    /// `SecItemUpdate`.
    ///
    /// Unlike adding and deleting, it asks for the owner where the item does [apple-src].
    public func update(_ query: Query, to changes: Query) -> Int32 {
        interlude(.itemUpdate)
        let effect = withState { $0.enter(.itemUpdate) }
        if case .refuses(let code) = effect { return Int32(code) }
        if changes.malformed != nil { return Status.param }
        let (refusal, rows) = withState { state in (state.refusal(query), state.matching(query)) }
        if let refusal { return refusal }
        guard !rows.isEmpty else { return Status.itemNotFound }
        for row in rows {
            if case .failure(let why) = open(row, query) {
                guard case .status(let status) = why else { return Status.itemNotFound }
                return status
            }
        }
        let status = withState { state in
            // Looking and changing are one step for whoever shares the keychain [apple-src].
            let matching = Set(state.matching(query).map(\.primaryKeyAndPlace))
            guard rows.allSatisfy({ matching.contains($0.primaryKeyAndPlace) }) else { return Status.itemNotFound }
            return state.change(rows, to: changes, effect: effect)
        }
        if case .happensButReports(let code) = effect { return Int32(code) }
        return status
    }

    /// `SecItemDelete`.
    ///
    /// It needs neither the owner nor the item's key [apple-src].
    public func delete(_ query: Query) -> Int32 {
        withState { state in
            let effect = state.enter(.itemDelete)
            if case .refuses(let code) = effect { return Int32(code) }
            if let refusal = state.refusal(query) { return refusal }
            let doomed = Set(state.matching(query).map(\.primaryKeyAndPlace))
            guard !doomed.isEmpty else { return Status.itemNotFound }
            state.rows.removeAll { doomed.contains($0.primaryKeyAndPlace) }
            if case .happensButReports(let code) = effect { return Int32(code) }
            return Status.success
        }
    }

    private enum NoRow: Error {
        case skipped
        case status(Int32)
    }

    /// Reads one row as the keychain does: its class key, then its binding, then the owner.
    private func open(_ row: Row, _ query: Query) -> Result<Row, NoRow> {
        let context = query.context ?? PhoneContext()
        let means: Means? = withState { state in
            let proof = query.context?.proof(in: state)
            if state.setup.kind == .simulator {
                // Access control is not enforced there, and there is no passcode to ask for [field].
                return nil
            }
            return proof.map { row.control.isSatisfied(by: $0, bound: row.binding) } ?? false ? nil : row.control.means
        }
        let early: NoRow? = withState { state in
            guard state.readable(row.control.protection) else { return .status(state.quirks.classLockedStatus) }
            if state.setup.kind == .simulator {
                let asksPasscode = row.control.has(Control.userPresence) || row.control.has(Control.devicePasscode)
                return asksPasscode ? .status(Status.authFailed) : nil
            }
            if means == nil { return nil }
            if state.isRevoked(row) {
                if state.quirks.revokedRowVanishes {
                    state.rows.removeAll { $0.primaryKeyAndPlace == row.primaryKeyAndPlace }
                }
                return .status(state.quirks.revokedStatus)
            }
            if query.interface == .skip { return .skipped }
            if context.heldFacts.interactionNotAllowed, !context.heldFacts.invalidated {
                let obstacle = means.flatMap { self.obstacle(to: $0, in: state) }
                let isClosed = obstacle == .biometryLockout || obstacle == .biometryNotAvailable
                if state.quirks.refusesWithoutAsking, isClosed { return .status(Status.authFailed) }
                // Mostly a locked-out sensor shows as "needs a prompt" too, so that the probe stays promptless [inf].
                return .status(Status.interactionNotAllowed)
            }
            return nil
        }
        if let early { return .failure(early) }
        guard let means else { return .success(row) }
        do throws(Refusal) {
            let proof = try authenticate(means, context: context, origin: .keychain)
            guard row.control.isSatisfied(by: proof, bound: row.binding) else {
                return .failure(.status(Status.authFailed))
            }
            return .success(row)
        } catch {
            return .failure(.status(error.status))
        }
    }
}

extension PhoneState {
    /// What stands in the way of any call.
    func refusal(_ query: Query) -> Int32? {
        guard query.malformed == nil, query.attributes["class"] != nil else { return Status.param }
        guard daemonReachable else { return Status.notAvailable }
        // Unsigned apps have no keychain; the file keychain of a Mac asks nobody [doc].
        let needsGroup = setup.kind != .mac || query.dataProtection || query.control != nil
        return needsGroup && setup.accessGroups.isEmpty ? Status.missingEntitlement : nil
    }

    /// An item that was bound to a set of fingers or faces which is no longer the enrolled one.
    func isRevoked(_ row: Row) -> Bool {
        if row.control.has(Control.biometryCurrentSet), row.binding.enrolment != enrolment { return true }
        // Reset, backed out of and enrolled again: seen to end even "any biometry" on iOS 18.3.1 [field].
        return row.control.has(Control.biometryAny) && row.binding.biometryResets != biometryResets
    }

    /// The rows that a query means.
    ///
    /// Without a group it reaches every group of the app [doc].
    func matching(_ query: Query) -> [Row] {
        rows.filter { row in
            for (name, wanted) in query.attributes where row.attributes[name] != wanted { return false }
            if let synchronizable = query.synchronizable, row.attributes["sync"] != .flag(synchronizable) {
                return false
            }
            if let accessible = query.accessible, row.control.protection.rawValue != accessible { return false }
            switch row.keychain {
            case .dataProtection:
                guard case .text(let group) = row.attributes["agrp"] else { return false }
                return setup.accessGroups.contains(group)
            case .file: return !query.dataProtection
            }
        }
    }

    mutating func add(_ query: Query) -> (Int32, Row?) {
        if let refusal = refusal(query) { return (refusal, nil) }
        // The two ways to say when an item is readable exclude each other [apple-src].
        if query.accessible != nil, query.control != nil { return (Status.param, nil) }
        var attributes = query.attributes
        let synchronizable = query.synchronizable ?? false
        attributes["sync"] = .flag(synchronizable)
        if case .text(let group) = attributes["agrp"] {
            guard setup.accessGroups.contains(group) else { return (Status.missingEntitlement, nil) }
        } else if let group = setup.accessGroups.first {
            attributes["agrp"] = .text(group)
        }
        let control: Control
        if let given = query.control {
            control = given
        } else if let protection = Protection(rawValue: query.accessible ?? Protection.whenUnlocked.rawValue) {
            control = Control(protection: protection)
        } else {
            return (Status.param, nil)
        }
        if synchronizable, control.hasConstraint || !control.protection.leavesDevice { return (Status.param, nil) }
        if let status = refusal(toMake: control) { return (status, nil) }
        let inFile = setup.kind == .mac && !query.dataProtection && query.control == nil && !synchronizable
        let now = Attribute.date(Date(timeIntervalSince1970: Double(clock.wall) / 1e9))
        attributes["cdat"] = now
        attributes["mdat"] = now
        let row = Row(
            attributes: attributes,
            value: query.value ?? Data(),
            control: control,
            hasAccessControl: query.control != nil,
            keychain: inFile ? .file : .dataProtection,
            binding: Binding(enrolment: enrolment, biometryResets: biometryResets)
        )
        guard !rows.contains(where: { $0.primaryKeyAndPlace == row.primaryKeyAndPlace }) else {
            return (Status.duplicateItem, nil)
        }
        rows.append(row)
        return (Status.success, row)
    }

    /// Whether something may be bound to the device as it is now.
    func refusal(toMake control: Control) -> Int32? {
        if control.protection == .whenPasscodeSetThisDeviceOnly, !setup.passcodeSet { return Status.authFailed }
        if control.has(Control.biometryCurrentSet), enrolment == nil { return Status.authFailed }
        return readable(control.protection) ? nil : quirks.classLockedStatus
    }

    mutating func change(_ chosen: [Row], to changes: Query, effect: Effect?) -> Int32 {
        let chosenKeys = Set(chosen.map(\.primaryKeyAndPlace))
        var dropped: Set<String> = []
        if case .drops(let names) = effect { dropped = names }
        var changed = rows
        for index in changed.indices where chosenKeys.contains(changed[index].primaryKeyAndPlace) {
            for (name, value) in changes.attributes where !dropped.contains(name) {
                changed[index].attributes[name] = value
            }
            if let value = changes.value, !dropped.contains("v_Data") { changed[index].value = value }
            if let control = changes.control, !dropped.contains("accc") {
                changed[index].control = control
                changed[index].hasAccessControl = true
                changed[index].binding = Binding(enrolment: enrolment, biometryResets: biometryResets)
            }
            if let text = changes.accessible, let protection = Protection(rawValue: text), !dropped.contains("pdmn") {
                changed[index].control = Control(protection: protection)
                changed[index].hasAccessControl = false
            }
            changed[index].attributes["mdat"] = .date(Date(timeIntervalSince1970: Double(clock.wall) / 1e9))
        }
        guard Set(changed.map(\.primaryKeyAndPlace)).count == changed.count else { return Status.duplicateItem }
        rows = changed
        return Status.success
    }
}

extension Row {
    /// What makes it unique, over both keychains of a Mac.
    var primaryKeyAndPlace: [Attribute?] { primaryKey + [.flag(keychain == .file)] }

    /// Loses attributes, as a fault does.
    mutating func drop(_ names: Set<String>) {
        for name in names { attributes[name] = nil }
        if names.contains("accc") {
            control = Control(protection: control.protection)
            hasAccessControl = false
        }
        if names.contains("pdmn") { control.protection = .whenUnlocked }
        if names.contains("v_Data") { value = Data() }
        if names.contains("sync") { attributes["sync"] = .flag(true) }
        if names.contains("agrp") { attributes["agrp"] = .text("TEAM.shared") }
    }
}
