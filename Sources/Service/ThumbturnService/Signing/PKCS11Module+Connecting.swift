internal import CPKCS11
internal import ThumbturnCrypto
internal import ThumbturnFiles
internal import ThumbturnRules

// Finding a token and its key: one thread at a time.
extension PKCS11Module {
    /// Finds a token and a key, in a session of its own, logged in.
    func connect(_ place: PKCS11URI) throws(SignerError) -> PKCS11Connection {
        try desk.change { desk -> Result<PKCS11Connection, SignerError> in
            do throws(SignerError) { return .success(try connect(place, &desk)) } catch {
                let isAway = [.gone, .tokenMissing, .keyMissing].contains(error)
                guard isAway, end(&desk) else { return .failure(error) }
            }
            do throws(SignerError) { return .success(try connect(place, &desk)) } catch { return .failure(error) }
        }.get()
    }

    private func connect(_ place: PKCS11URI, _ desk: inout Desk) throws(SignerError) -> PKCS11Connection {
        if !desk.isInitialized {
            desk.isOurs = try functions.initialize()
            desk.isInitialized = true
        }
        let generation = calls.change { $0.generation }
        let (slot, flags) = try slot(of: place.token)
        let isAnchored = desk.anchors[place.token].map { functions.isOpen($0, in: slot) } ?? false
        if !isAnchored { desk.anchors[place.token] = try functions.openSession(slot) }
        let session = PKCS11Session(handle: try functions.openSession(slot), generation: generation, module: self)
        try logIn(session.handle, flags, place, &desk)
        return try PKCS11Connection(session, place, functions)
    }

    /// Ends the module, if no call is under way and none has succeeded lately; the next use starts it again.
    private func end(_ desk: inout Desk) -> Bool {
        guard desk.isInitialized, desk.isOurs else { return false }
        let isQuiet = calls.change { calls in
            guard calls.count == 0, !calls.isAlive else { return false }
            calls.generation += 1
            return true
        }
        guard isQuiet else { return false }
        functions.finalize()
        desk.isInitialized = false
        desk.anchors = [:]
        return true
    }

    private func slot(of token: PKCS11Token) throws(SignerError) -> (CK_SLOT_ID, CK_FLAGS) {
        var found: [(CK_SLOT_ID, CK_FLAGS)] = []
        for slot in try functions.slots() {
            guard let (present, flags) = functions.token(in: slot), token.fits(present) else { continue }
            found.append((slot, flags))
        }
        guard let first = found.first else { throw .tokenMissing }
        guard found.count == 1 else { throw .ambiguous }
        return first
    }

    private func logIn(
        _ session: CK_SESSION_HANDLE,
        _ flags: CK_FLAGS,
        _ place: PKCS11URI,
        _ desk: inout Desk
    ) throws(SignerError) {
        guard let source = place.pinSource else {
            guard flags & CKF_LOGIN_REQUIRED != 0 else { return }
            guard flags & CKF_PROTECTED_AUTHENTICATION_PATH != 0 else { throw .pinMissing }
            return try functions.logIn(session, nil)
        }
        let pin = HeldSecret(try PINFile.pin(source))
        if let refused = desk.refused[place.token], SecretBytes.constantTimeEqual(refused.bytes, pin.bytes) {
            throw .pinRefused
        }
        do throws(SignerError) {
            try withCleanStack { () throws(SignerError) in
                try pin.bytes.withBytes { bytes throws(SignerError) in try functions.logIn(session, bytes) }
            }
            desk.refused[place.token] = nil
        } catch {
            if error == .pinRefused { desk.refused[place.token] = pin }
            throw error
        }
    }
}

/// The file with a token's PIN.
private enum PINFile {
    /// Reads a PIN: what the file has, without one newline at its end.
    static func pin(_ path: String) throws(SignerError) -> SecretBytes {
        let contents: SecretBytes
        do throws(FileError) { contents = try PrivateFile.contents(at: path, upTo: 1_024) } catch {
            throw .unreadable(.pin, error)
        }
        let count = contents.withBytes { bytes in
            var count = bytes.byteCount
            for end: UInt8 in [0x0A, 0x0D] where count > 0 && bytes.byte(at: count - 1) == end { count -= 1 }
            return count
        }
        guard count > 0 else { throw .pinMissing }
        return contents.prefix(count)
    }
}
