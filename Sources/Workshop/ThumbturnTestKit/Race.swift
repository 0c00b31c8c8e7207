/// Triggers an event once, at the n-th occurrence of a call.
package actor Race {
    private var step = 0
    private var count = 0
    private var event: (@Sendable () async -> Void)?
    private var wasRun = false

    package init() {}

    /// Arms the race: `event` happens at the `step`-th occurrence from now.
    package func start(at step: Int, _ event: @escaping @Sendable () async -> Void) {
        (self.step, self.count, self.event, self.wasRun) = (step, 0, event, false)
    }

    /// Called at each occurrence.
    package func reach() async {
        count += 1
        guard count == step, let event else { return }
        self.event = nil
        wasRun = true
        await event()
    }

    /// Disarms the race, and returns the number of occurrences and whether the event happened.
    package func stop() -> (count: Int, wasRun: Bool) {
        event = nil
        return (count, wasRun)
    }
}
