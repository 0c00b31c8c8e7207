/// Answers the queue's requests on one thread, with its own handler.
struct Worker {
    private let core: ServerCore
    private let handler: HTTPServer.Handler

    init(_ core: ServerCore, _ handler: @escaping HTTPServer.Handler) {
        (self.core, self.handler) = (core, handler)
    }

    /// Runs until the queue is closed.
    func run() {
        while let job = core.queue.next() {
            answer(job)
            core.queue.finish(job)
        }
    }

    private func answer(_ job: WorkQueue.Job) {
        var response = handler(job.request)
        let bytes = WipedBytes(response.wire(closes: job.closes, omitsBody: job.omitsBody, date: Clock.date))
        response.body.wipe()
        job.loop.answer(bytes, closes: job.closes, heldFor: response.heldMilliseconds, token: job.token)
    }
}
