import Synchronization
import ThumbturnFiles

extension EventLoop {
    /// Makes this loop accept connections; call it before the loop runs.
    func accept(from listener: consuming Listener, for loops: [EventLoop]) throws(HTTPError) {
        guard poller.watch(listener: listener.number) else { throw .noThread }
        listening = Listening(listener, for: loops)
    }

    /// Accepts waiting connections, but limits their number so that existing ones get their turn.
    func acceptSome(at now: Int64) {
        for _ in 0..<64 {
            guard listening != nil, acceptOne(at: now) else { return }
        }
    }

    /// Resumes accepting after a pause; when the server stops, accepts the connections already waiting, and closes the
    /// listener.
    func lookAfterListener(at now: Int64) {
        guard listening != nil else { return }
        if core.isStopping {
            // Limit the number, because clients may connect faster than the loop accepts.
            for _ in 0..<8_192 { guard acceptOne(at: now) else { break } }
            closeListener()
        } else if let since = listening?.pausedSince, now - since >= 100 {
            listening?.pausedSince = nil
            watchListener()
        }
    }

    /// Stops accepting connections.
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

    /// Leaves connections in the kernel's queue for a while: accepting again at once would fail in the same way,
    /// endlessly.
    private func pause(at now: Int64, _ number: CInt) {
        core.log(.acceptPaused(errno: number))
        listening?.pausedSince = now
        if let number = listening?.listener.number { poller.forget(listener: number) }
    }

    private func watchListener() { if let number = listening?.listener.number { _ = poller.watch(listener: number) } }

    private func enter(_ descriptor: consuming Descriptor, _ peer: PeerAddress, at now: Int64) {
        let place = ConnectionPlace(for: peer, in: core)
        guard place.isThere, let transport = Transport(descriptor, core.tls.change { $0 }) else {
            // A network's own excess is not logged: the network could fill the log.
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
