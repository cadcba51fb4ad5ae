package import DNSSD
internal import Reports

/// Delivers the messages that wait for one sink, one after the other in their order, for as long as it runs.
package struct Courier: Sendable {
    private let sink: NoticeSink
    private let journal: NoticeJournal
    private let clock: any MonotonicClock
    private let deliver: @Sendable (WaitingMessage, NoticeSink) async -> SinkOutcome
    private let report: @Sendable (String?) -> Void

    /// Makes what delivers to a sink.
    ///
    /// - Parameters:
    ///   - journal: The messages that wait.
    ///   - clock: Measures the pauses between attempts.
    ///   - deliver: Gives a message to the sink.
    ///   - report: Is told why messages cannot be delivered; `nil` when they can.
    package init(
        _ sink: NoticeSink,
        _ journal: NoticeJournal,
        clock: any MonotonicClock = ContinuousClock(),
        deliver: @escaping @Sendable (WaitingMessage, NoticeSink) async -> SinkOutcome = {
            await SinkDelivery.deliver($0, to: $1)
        },
        report: @escaping @Sendable (String?) -> Void
    ) {
        self.sink = sink
        self.journal = journal
        self.clock = clock
        self.deliver = deliver
        self.report = report
    }

    /// Delivers until the task is cancelled.
    ///
    /// - Parameter wakes: Has an element whenever messages were added.
    package func run(_ wakes: some AsyncSequence<Void, Never>) async {
        await journal.begin(sink.name)
        var wakes = wakes.makeAsyncIterator()
        while !Task.isCancelled {
            if let (message, count) = await journal.next(for: sink.name) {
                await handle(message, count)
            } else {
                report(await journal.loss(of: sink.name))
                guard await wakes.next(isolation: nil) != nil else { return }
            }
        }
    }

    /// Tries to deliver a message, and waits if that fails.
    private func handle(_ message: WaitingMessage, _ count: Int) async {
        var loss: String?
        switch await deliver(message, sink) {
        case .delivered: report(await journal.loss(of: sink.name))
        case .refused(let reason): loss = "not taken: \(reason)"
        case .failed(let reason, let asked):
            // The agent ends, and goes on with it when it starts again.
            guard !Task.isCancelled else { return }
            let tries = message.tries + 1
            if let pause = RetryPlan.pause(after: tries, of: message.time, asked: asked, now: .now) {
                let waiting = "\(sink.name): \(count == 1 ? "1 message waits" : "\(count) messages wait"): \(reason)"
                let lost = await journal.loss(of: sink.name)
                report(([waiting] + [lost].compactMap(\.self)).joined(separator: "; "))
                await journal.noteFailure(of: message, for: sink.name)
                try? await clock.sleep(for: pause)
                return
            }
            loss = "given up after a day: \(reason)"
        }
        await journal.finish(message, for: sink.name, loss: loss)
    }
}
