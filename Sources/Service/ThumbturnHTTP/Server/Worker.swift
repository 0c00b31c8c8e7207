import Glibc

/// Answers the requests of a queue on one thread, with its own handler.
struct Worker {
    private let queue: WorkQueue<EventLoop.Job>
    private let handler: HTTPServer.Handler

    init(_ queue: WorkQueue<EventLoop.Job>, _ handler: @escaping HTTPServer.Handler) {
        (self.queue, self.handler) = (queue, handler)
    }

    /// Runs until the queue is closed.
    func run() {
        while let job = queue.next() {
            answer(job)
            queue.finish(of: job.network)
        }
    }

    private func answer(_ job: EventLoop.Job) {
        var response = handler(job.request)
        let bytes = WipedBytes(response.wire(closes: job.closes, omitsBody: job.omitsBody, date: time(nil)))
        response.body.wipe()
        job.loop.answer(bytes, closes: job.closes, heldFor: response.heldMilliseconds, token: job.token)
    }
}
