import Synchronization

extension EventLoop {
    /// What the loop has that accepts for all.
    struct Listening: ~Copyable {
        let listener: Listener
        /// All loops of the server, which get connections in turn.
        let loops: [EventLoop]
        var next = 0
        /// Since when no connection is accepted; nil while they are.
        var pausedSince: Int64?

        init(_ listener: consuming Listener, for loops: [EventLoop]) {
            (self.loops, next) = (loops, 0)
            self.listener = listener
        }
    }

    /// Makes this the loop that accepts, before it runs.
    func accept(from listener: consuming Listener, for loops: [EventLoop]) throws(HTTPError) {
        guard poller.watch(listener: listener.number) else { throw .noThread }
        listening = Listening(listener, for: loops)
    }

    /// Accepts those who wait, but lets others have their turn.
    func acceptSome(at now: Int64) {
        for _ in 0..<64 {
            guard listening != nil, acceptOne(at: now) else { return }
        }
    }

    /// Goes on after a pause; and where the server is stopped, takes in who knocked before that, and closes.
    func lookAfterListener(at now: Int64) {
        guard listening != nil else { return }
        if core.isStopping {
            // A bound, because others may knock faster than we open.
            for _ in 0..<8_192 { guard acceptOne(at: now) else { break } }
            closeListener()
        } else if let since = listening?.pausedSince, now - since >= 100 {
            listening?.pausedSince = nil
            watchListener()
        }
    }

    /// Accepts no more.
    func closeListener() {
        guard listening != nil else { return }
        listening = nil
        core.isClosed.store(true, ordering: .releasing)
    }

    /// - Returns: whether there may be another.
    private func acceptOne(at now: Int64) -> Bool {
        guard let accepted = listening?.listener.accept() else { return false }
        switch consume accepted {
        case .connection(let descriptor, let peer): enter(descriptor, peer, at: now)
        case .gone: break
        case .nobody: return false
        case .exhausted(let number):
            pause(at: now, number)
            return false
        }
        return true
    }

    /// Lets connections wait in the system's queue: asked again at once it would say the same, without end.
    private func pause(at now: Int64, _ number: CInt) {
        core.log(.acceptPaused(errno: number))
        listening?.pausedSince = now
        if let number = listening?.listener.number { poller.forget(listener: number) }
    }

    private func watchListener() {
        if let number = listening?.listener.number { _ = poller.watch(listener: number) }
    }

    private func enter(_ descriptor: consuming Descriptor, _ peer: PeerAddress, at now: Int64) {
        let place = ConnectionPlace(for: peer, in: core)
        guard place.isThere, let transport = Transport(descriptor, core.tls.change { $0 }) else {
            // Of one network it is not told: it decides how often.
            return place.isOfNetwork ? () : core.log(.connectionDropped(peer: peer))
        }
        nextLoop().adopt(Connection(transport, from: peer, core: core, place: place, at: now))
    }

    private func nextLoop() -> EventLoop {
        guard let loops = listening?.loops, let next = listening?.next else { return self }
        listening?.next = (next + 1) % loops.count
        return loops[next]
    }
}
