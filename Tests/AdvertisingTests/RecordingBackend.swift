import DNSSD
import Synchronization

/// A backend that publishes at once, and records the requests to publish.
final class RecordingBackend: ServiceBackend {
    enum Event: Hashable, Sendable {
        case published(Advertisement)
        case updated(TXTRecord)
        case withdrawn
    }

    let source = SightingSource(rawValue: "recording")

    let capabilities = BackendCapabilities.all

    private let stream = AsyncStream.makeStream(of: Event.self)
    private let isPublishing = Mutex(false)

    func browse(_ request: BrowseRequest, report: @escaping @Sendable ([BrowseEvent]) -> Void) async {}

    func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async {
        isPublishing.withLock { $0 = true }
        stream.continuation.yield(.published(advertisement))
        report(.published(name: advertisement.name))
        for await txt in updates { stream.continuation.yield(.updated(txt)) }
        isPublishing.withLock { $0 = false }
        stream.continuation.yield(.withdrawn)
    }

    /// Indicates whether anything is published.
    var isVisible: Bool { isPublishing.withLock { $0 } }

    /// Waits for the next request to this backend, and returns it.
    func next() async -> Event? {
        for await event in stream.stream { return event }
        return nil
    }
}
