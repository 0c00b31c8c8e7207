/// Lets something happen once, when a call was reached for the n-th time.
package actor Race {
    private var step = 0
    private var count = 0
    private var event: (@Sendable () async -> Void)?
    private var wasRun = false

    package init() {}

    /// Arms it: `event` happens at the n-th time from now.
    package func start(at step: Int, _ event: @escaping @Sendable () async -> Void) {
        (self.step, self.count, self.event, self.wasRun) = (step, 0, event, false)
    }

    /// Called each time.
    package func reach() async {
        count += 1
        guard count == step, let event else { return }
        self.event = nil
        wasRun = true
        await event()
    }

    /// Disarms it, and tells how often the call was reached and whether the event happened.
    package func stop() -> (count: Int, wasRun: Bool) {
        event = nil
        return (count, wasRun)
    }
}
