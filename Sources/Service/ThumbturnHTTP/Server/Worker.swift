/// Answers the requests of a queue on one thread, with its own handler.
struct Worker {
    private let queue: WorkQueue<Job>
    private let core: ServerCore
    private let handler: HTTPServer.Handler

    init(_ queue: WorkQueue<Job>, _ core: ServerCore, _ handler: @escaping HTTPServer.Handler) {
        (self.queue, self.core, self.handler) = (queue, core, handler)
    }

    /// Runs until the queue is closed.
    func run() {
        while let job = queue.next() {
            let network = job.network
            answer(consume job)
            queue.finish(of: network)
        }
    }

    private func answer(_ job: consuming Job) {
        let (recipient, peer) = (job.recipient, job.request.peer)
        let answer = handler(job.request)
        // The request goes before its answer does, so that nothing of it is left when the client has that.
        _ = consume job
        switch consume answer {
        case .now(let response): recipient.answer(consume response)
        case .later(let begin): self.answer(recipient, of: peer, later: begin)
        }
    }

    /// Hands the reply out, unless too many are out already.
    private func answer(_ recipient: Recipient, of peer: PeerAddress, later begin: (HTTPReply) -> Void) {
        guard core.enterOutstanding() else { return recipient.answer(core.refuse(.busy, of: peer)) }
        let reply = HTTPReply { [core] in
            core.refuse(.unanswered, of: peer)
        } give: { [core] response in
            core.leaveOutstanding()
            recipient.answer(response)
        }
        begin(reply)
    }
}
