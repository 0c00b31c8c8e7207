import ThumbturnRules

/// A connection to the system bus.
///
/// Calls wait for their answer until their deadline, even when the task is cancelled, so that an operation that has
/// started can be completed.
actor BusConnection {
    /// The address of the system bus on every distribution.
    ///
    /// It is never read from the environment: an attacker who starts this process could plant a bus of their own there
    /// (A55).
    static let systemAddress = "unix:path=/run/dbus/system_bus_socket"

    private nonisolated let thread: BusThread

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// Prepares a connection.
    ///
    /// It connects on first use, and reconnects on the next use after it was lost.
    init(address: String = BusConnection.systemAddress) { self.init(on: BusThread(address: address)) }

    init(on thread: BusThread) { self.thread = thread }

    deinit { thread.stop() }

    func call(_ call: BusCall) async throws(BusFailure) -> BusReply { try await answer(to: call) {} }

    /// Calls a well-known name, and checks that the process behind it belongs to the trusted user, root.
    ///
    /// - Parameters:
    ///   - call: addressed to a well-known name; the bus starts an installed service that is not running.
    ///   - owner: the user id of the trusted process; 0 except in tests.
    /// - Returns: the reply; its sender is the unique name to call and to listen to from now on.
    func pin(_ call: BusCall, ownedBy owner: UInt32 = 0) async throws(BusFailure) -> BusReply {
        let reply = try await self.call(call)
        guard
            try await self.call(.daemon("GetConnectionUnixUser", reply.sender, before: call.deadline)).values.first?
                .unsigned == UInt64(owner)
        else { throw .untrusted }
        return reply
    }

    /// Listens to a peer from the moment it has answered `call` until `ear` is closed or the peer leaves the bus.
    ///
    /// - Parameters:
    ///   - peer: the peer's unique name.
    ///   - rules: match rules for the peer's broadcasts, such as `path='/a/b'`; its messages addressed to this
    ///     connection arrive in any case.
    /// - Returns: the reply, and the subscription to close.
    func listen(
        to peer: String,
        from call: BusCall,
        rules: [String],
        _ receive: @escaping BusLink.Listener
    ) async throws(BusFailure) -> (reply: BusReply, ear: BusEar) {
        let rules =
            rules.map { "type='signal',sender='\(peer)'," + $0 }
            + ["type='signal',sender='\(BusCall.daemon)',member='NameOwnerChanged',arg0='\(peer)'"]
        let ear = BusEar(number: thread.link.nextListener(), rules: rules)
        do throws(BusFailure) {
            for rule in rules { _ = try await self.call(.daemon("AddMatch", rule, before: call.deadline)) }
            // Registered in the step that receives the answer: signals before it are dropped, signals after it are
            // delivered.
            let reply = try await answer(to: call) { self.thread.link.listen(to: peer, as: ear.number, receive) }
            return (reply, ear)
        } catch {
            await close(ear, before: call.deadline)
            throw error
        }
    }

    /// Ends a subscription.
    func close(_ ear: BusEar, before deadline: BusDeadline = BusDeadline(after: Patience.bus)) async {
        thread.link.forget(ear.number)
        for rule in ear.rules { _ = try? await call(.daemon("RemoveMatch", rule, before: deadline)) }
    }

    private func answer(to call: BusCall, _ then: @escaping () -> Void) async throws(BusFailure) -> BusReply {
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

/// A subscription to a peer, which can be closed.
struct BusEar: Sendable {
    fileprivate let number: UInt64
    fileprivate let rules: [String]
}
