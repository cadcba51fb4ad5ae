package import DNSSD
package import Notices
internal import Reports

/// Delivers the messages that wait for one sink, one after the other in their order, for as long as it runs.
package struct Courier: Sendable {
    /// The time after which the history is asked again, when it could not be read.
    private static let pause = Duration.seconds(5)

    private let sink: NoticeSink
    private let store: NoticeStore
    private let clock: any MonotonicClock
    private let deliver: @Sendable (WaitingMessage, NoticeSink) async -> SinkOutcome
    private let report: @Sendable (String?) -> Void

    /// Makes what delivers to a sink.
    ///
    /// - Parameters:
    ///   - store: The messages that wait.
    ///   - clock: Measures the pauses between attempts.
    ///   - deliver: Gives a message to the sink.
    ///   - report: Is told why messages cannot be delivered; `nil` when they can.
    package init(
        _ sink: NoticeSink,
        _ store: NoticeStore,
        clock: any MonotonicClock = ContinuousClock(),
        deliver: @escaping @Sendable (WaitingMessage, NoticeSink) async -> SinkOutcome = {
            await SinkDelivery.deliver($0, to: $1)
        },
        report: @escaping @Sendable (String?) -> Void
    ) {
        self.sink = sink
        self.store = store
        self.clock = clock
        self.deliver = deliver
        self.report = report
    }

    /// Delivers until the task is cancelled.
    ///
    /// - Parameter wakes: Has an element whenever messages were added.
    package func run(_ wakes: some AsyncSequence<Void, Never>) async {
        var wakes = wakes.makeAsyncIterator()
        while !Task.isCancelled {
            do throws(NoticeStoreError) {
                let (next, lost) = try await store.perform { [sink] store throws(NoticeStoreError) in
                    (try store.next(for: sink.name), try store.lost(of: sink.name, at: .now))
                }
                guard let (message, count) = next else {
                    report(lost?.trouble)
                    guard await wakes.next(isolation: nil) != nil else { return }
                    continue
                }
                try await handle(message, count, lost)
            } catch {
                report("\(sink.name): \(error)")
                try? await clock.sleep(for: Self.pause)
            }
        }
    }

    /// Tries to deliver a message, and waits if that fails.
    ///
    /// - Parameter lost: Those that were lost before.
    private func handle(
        _ message: WaitingMessage,
        _ count: Int,
        _ lost: LostMessages?
    ) async throws(NoticeStoreError) {
        var loss: String?
        switch await deliver(message, sink) {
        case .delivered: report(lost?.trouble)
        case .refused(let reason): loss = "not taken: \(reason)"
        case .failed(let reason, let asked):
            // The agent ends, and goes on with it when it starts again.
            guard !Task.isCancelled else { return }
            let tries = message.tries + 1
            if let pause = RetryPlan.pause(after: tries, of: message.time, asked: asked, now: .now) {
                let waiting = "\(sink.name): \(count == 1 ? "1 message waits" : "\(count) messages wait"): \(reason)"
                report(([waiting] + [lost?.trouble].compactMap(\.self)).joined(separator: "; "))
                try await store.perform { [sink] store throws(NoticeStoreError) in
                    try store.noteFailure(of: message, for: sink.name)
                }
                try? await clock.sleep(for: pause)
                return
            }
            loss = "given up after a day: \(reason)"
        }
        try await store.perform { [sink, loss] store throws(NoticeStoreError) in
            try store.finish(message, for: sink.name, loss: loss)
        }
    }
}
