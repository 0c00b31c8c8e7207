import ThumbturnRules

/// One call to a vault behind a screen, in a task of its own that ends with the screen.
///
/// The buttons of a view start tasks that outlive the view: only what is kept here can be cancelled, and so can the
/// system's prompt that such a call shows.
@MainActor final class ScreenCall {
    private var task: Task<VaultError?, Never>?

    deinit { task?.cancel() }

    /// Runs a call; it is cancelled with the caller's task and by `cancel`.
    ///
    /// - Throws: as `body`.
    func run(_ body: @escaping @MainActor () async throws(VaultError) -> Void) async throws(VaultError) {
        let task = Task { () -> VaultError? in
            do throws(VaultError) {
                try await body()
                return nil
            } catch {
                return error
            }
        }
        self.task = task
        let failure = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        self.task = nil
        if let failure { throw failure }
    }

    /// Cancels the call in progress, if any.
    func cancel() { task?.cancel() }
}
