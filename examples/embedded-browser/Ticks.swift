/// One element after each interval, until the task is cancelled.
struct Ticks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let interval: Duration

    init(every interval: Duration) {
        self.interval = interval
    }

    func makeAsyncIterator() -> Ticks { self }

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Void? {
        try? await Task.sleep(for: interval)
        return Task.isCancelled ? nil : ()
    }
}
