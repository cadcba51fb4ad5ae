package import DNSSD
import Synchronization

/// A backend that reports whatever the test sends through it.
package final class FakeBackend: ServiceBackend {
    private struct State {
        var report: (@Sendable ([BrowseEvent]) -> Void)?
        var reportPublication: (@Sendable (PublicationState) -> Void)?
        var advertisements: [Advertisement] = []
        var end: AsyncStream<Never>.Continuation?
        var reconfirmed: [ServiceInstance] = []
        var protected: Set<ServiceInstance> = []
    }

    package let source = SightingSource(rawValue: "fake")

    package let capabilities = BackendCapabilities.all

    private let state = Mutex(State())
    private let starts = AsyncStream.makeStream(of: Void.self)
    private let texts = AsyncStream.makeStream(of: TXTRecord.self)

    package init() {}

    package func browse(_ request: BrowseRequest, report: @escaping @Sendable ([BrowseEvent]) -> Void) async {
        await run { $0.report = report }
    }

    package func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await txt in updates { self.texts.continuation.yield(txt) }
            }
            await run {
                $0.reportPublication = report
                $0.advertisements.append(advertisement)
            }
            group.cancelAll()
        }
    }

    package func reconfirm(_ instance: ServiceInstance) {
        state.withLock { $0.reconfirmed.append(instance) }
    }

    package func protect(_ instance: ServiceInstance, _ isProtected: Bool) {
        state.withLock { state in
            if isProtected { state.protected.insert(instance) } else { state.protected.remove(instance) }
        }
    }

    /// Runs until it is cancelled, or until ``finish()``.
    private func run(_ begin: (inout State) -> Void) async {
        let (stream, end) = AsyncStream.makeStream(of: Never.self)
        state.withLock {
            begin(&$0)
            $0.end = end
        }
        starts.continuation.yield()
        for await _ in stream {}
        state.withLock {
            $0.report = nil
            $0.reportPublication = nil
        }
    }

    // MARK: For tests

    /// Returns once a call has begun for which no earlier `started()` has returned.
    package func started() async {
        for await _ in starts.stream { return }
    }

    /// Indicates whether a call is running.
    package var isRunning: Bool { state.withLock { $0.report != nil || $0.reportPublication != nil } }

    /// The advertisements that were published, one for each call.
    package var advertisements: [Advertisement] { state.withLock { $0.advertisements } }

    /// The instances for which a reconfirmation was requested, in order.
    package var reconfirmed: [ServiceInstance] { state.withLock { $0.reconfirmed } }

    /// The instances that are protected now.
    package var protected: Set<ServiceInstance> { state.withLock { $0.protected } }

    /// Returns the next TXT record that arrived as an update.
    package func nextUpdate() async -> TXTRecord? {
        for await txt in texts.stream { return txt }
        return nil
    }

    package func send(_ events: BrowseEvent...) { send(events) }

    package func send(_ events: [BrowseEvent]) { state.withLock { $0.report }?(events) }

    package func send(_ publication: PublicationState) {
        state.withLock { $0.reportPublication }?(publication)
    }

    /// Ends the running call as if it had returned by itself.
    package func finish() {
        state.withLock { $0.end }?.finish()
    }
}
