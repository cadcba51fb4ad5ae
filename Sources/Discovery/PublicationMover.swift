internal import DNSSD
internal import Synchronization

/// The shared state of two backends that publish the same advertisement: both report to the advertiser, from threads of
/// their own.
final class PublicationMover: Sendable {
    private struct State {
        var handover = PublicationHandover()

        /// The receiver of states; `nil` once nothing is reported any more.
        var report: (@Sendable (PublicationState) -> Void)?
    }

    private let state: Mutex<State>

    /// A stream that yields whether the other backend is needed, each time that this changes.
    let isOtherNeeded: AsyncStream<Bool>
    private let needs: AsyncStream<Bool>.Continuation

    init(_ report: @escaping @Sendable (PublicationState) -> Void) {
        self.state = Mutex(State(report: report))
        (isOtherNeeded, needs) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Merges the state that a backend reports, and reports the result to the advertiser.
    func merge(_ body: (inout PublicationHandover) -> PublicationState?) {
        // Under the lock: by one thread at a time, and in the order of merging.
        state.withLock { state in
            let before = state.handover.isOtherNeeded
            if let change = body(&state.handover) { state.report?(change) }
            if state.handover.isOtherNeeded != before { needs.yield(!before) }
        }
    }

    /// Indicates whether the preferred backend publishes now.
    var isBack: Bool { state.withLock { $0.handover.isPreferredBack } }

    /// The TXT record, for the backend that works beside the preferred one.
    let texts = TXTRelay()

    func close() {
        state.withLock { $0.report = nil }
        needs.finish()
    }
}
