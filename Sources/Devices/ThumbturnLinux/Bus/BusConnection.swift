import ThumbturnRules

/// A connection to the system bus.
///
/// Calls wait for their answer until their deadline, whether or not the task is cancelled, so that what is begun can be brought
/// to its end.
actor BusConnection {
    /// Where the bus of every distribution listens; the environment is never asked, because whoever starts us could plant
    /// a bus of his own there (A55).
    static let systemAddress = "unix:path=/run/dbus/system_bus_socket"

    private nonisolated let thread: BusThread

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// Prepares a connection; it connects when it is first used, and again after it was lost.
    init(address: String = BusConnection.systemAddress) {
        self.init(on: BusThread(address: address))
    }

    init(on thread: BusThread) {
        self.thread = thread
    }

    deinit { thread.stop() }

    /// Calls a method.
    func call(_ call: BusCall) async throws(BusFailure) -> BusReply {
        try await answer(to: call) {}
    }

    /// Finds out who serves a name, and that it is who we trust: the superuser.
    ///
    /// - Parameters:
    ///   - call: goes to a well-known name; an installed service that doesn't run is started by it.
    ///   - owner: the user whose process is trusted; 0 but in tests.
    /// - Returns: the reply, whose sender is the name to call and to listen to from now on.
    func pin(_ call: BusCall, ownedBy owner: UInt32 = 0) async throws(BusFailure) -> BusReply {
        let reply = try await self.call(call)
        guard
            try await self.call(.daemon("GetConnectionUnixUser", reply.sender, before: call.deadline)).values.first?
                .unsigned == UInt64(owner)
        else { throw .untrusted }
        return reply
    }

    /// Listens to a peer from the moment at which it has answered `call`, until `ear` is closed or the peer has gone.
    ///
    /// - Parameters:
    ///   - peer: its unique name.
    ///   - rules: what the bus is to send here of what the peer says to all, such as `path='/a/b'`; what it says to us alone
    ///     comes in any case.
    /// - Returns: the reply, and what ends the listening.
    func listen(
        to peer: String,
        from call: BusCall,
        rules: [String],
        _ hear: @escaping BusLink.Listener
    ) async throws(BusFailure) -> (reply: BusReply, ear: BusEar) {
        let rules =
            rules.map { "type='signal',sender='\(peer)'," + $0 }
            + ["type='signal',sender='\(BusCall.daemon)',member='NameOwnerChanged',arg0='\(peer)'"]
        let ear = BusEar(number: thread.link.nextListener(), rules: rules)
        do throws(BusFailure) {
            for rule in rules { _ = try await self.call(.daemon("AddMatch", rule, before: call.deadline)) }
            // In the step in which the answer comes in: what is said before it is not heard, what is said after it is.
            let reply = try await answer(to: call) { self.thread.link.listen(to: peer, as: ear.number, hear) }
            return (reply, ear)
        } catch {
            await close(ear, before: call.deadline)
            throw error
        }
    }

    /// Ends a listening.
    func close(_ ear: BusEar, before deadline: BusDeadline = BusDeadline(after: Patience.bus)) async {
        thread.link.forget(ear.number)
        for rule in ear.rules { _ = try? await call(.daemon("RemoveMatch", rule, before: deadline)) }
    }

    private func answer(
        to call: BusCall,
        _ then: @escaping () -> Void
    ) async throws(BusFailure) -> BusReply {
        guard thread.isRunning else { throw .disconnected }
        let result: Result<BusReply, BusFailure> = await withCheckedContinuation { continuation in
            thread.link.send(call) { result in
                if case .success = result { then() }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}

/// A listening that can be closed.
struct BusEar: Sendable {
    fileprivate let number: UInt64
    fileprivate let rules: [String]
}
