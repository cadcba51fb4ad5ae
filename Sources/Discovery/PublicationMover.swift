internal import DNSSD
internal import Synchronization

/// The state that two backends that publish the same have in common: both tell the advertiser, from threads of their
/// own.
final class PublicationMover: Sendable {
    private struct State {
        var handover = PublicationHandover()
        var text: TXTRecord?

        /// The source of updates for the backend that works beside the preferred one.
        var updates: TXTUpdates.Source?

        /// `nil` once nothing is told any more.
        var report: (@Sendable (PublicationState) -> Void)?
    }

    private let state: Mutex<State>

    /// Says each time whether the other backend is needed.
    let isOtherNeeded: AsyncStream<Bool>
    private let needs: AsyncStream<Bool>.Continuation

    init(_ report: @escaping @Sendable (PublicationState) -> Void) {
        self.state = Mutex(State(report: report))
        (isOtherNeeded, needs) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Merges what a backend reports, and reports to the advertiser what comes of it.
    func merge(_ body: (inout PublicationHandover) -> PublicationState?) {
        // Under the lock: one thread at a time, and in the order in which it was merged.
        state.withLock { state in
            let before = state.handover.isOtherNeeded
            if let news = body(&state.handover) { state.report?(news) }
            if state.handover.isOtherNeeded != before { needs.yield(!before) }
        }
    }

    /// Indicates whether the preferred backend publishes now.
    var isBack: Bool { state.withLock { $0.handover.isPreferredBack } }

    /// The record has been replaced.
    func update(_ text: TXTRecord) {
        let updates = state.withLock { state in
            state.text = text
            return state.updates
        }
        updates?.send(text)
    }

    /// The record as it is now, if it was replaced; later ones go to `updates`.
    func follow(with updates: TXTUpdates.Source) -> TXTRecord? {
        state.withLock { state in
            state.updates = updates
            return state.text
        }
    }

    func close() {
        state.withLock { $0.report = nil }
        needs.finish()
    }
}
