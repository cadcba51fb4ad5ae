package import DNSSD
package import GatewayProtocol
internal import Synchronization

/// A notice about an endpoint from the parts of a program that share a ``Constellation``, for the one that asks endpoints
/// whether they answer: with a live session, nothing need be asked there.
package struct EndpointNotice: Hashable, Sendable {
    /// The endpoint.
    package let endpoint: Endpoint

    /// The liveness that its sessions see: ``BotMapEvent/sessionLiveness(_:_:roundTrip:)``. `nil` if it has none.
    package let session: Liveness?

    /// The gateway that answers there, if one does.
    package let identity: GatewayIdentity?

    /// The leaf that it has to show: ``Constellation/pin(_:at:)``. `nil` if any will do.
    package let pin: LeafFingerprint?

    /// The reasons, new since the last notice, why the map wants it to be asked: they follow from what others have
    /// reported.
    package let demands: [EndpointDemand.Reason]
}

/// The notices of a ``Constellation``: first those of all endpoints, then one for each endpoint of which something has
/// changed. A slow reader gets only the latest of each endpoint. The sequence ends when the constellation is finished, or
/// when the task that iterates is cancelled.
package struct EndpointNotices: AsyncSequence, Sendable {
    package typealias Element = EndpointNotice
    package typealias Failure = Never

    private let constellation: Constellation

    init(_ constellation: Constellation) {
        self.constellation = constellation
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(constellation) }

    /// The iterator, which returns the notices one by one.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private let constellation: Constellation
        private let reader = NoticeReader()
        private var isFirst = true
        private var waiting: [EndpointNotice] = []

        fileprivate init(_ constellation: Constellation) {
            self.constellation = constellation
        }

        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> EndpointNotice? {
            while waiting.isEmpty {
                if isFirst {
                    isFirst = false
                    waiting = await constellation.begin(reader).reversed()
                } else {
                    await reader.signal.wait()
                    guard !Task.isCancelled else { return nil }
                    let isLast = reader.signal.hasEnded
                    waiting = await constellation.notices(for: reader).reversed()
                    if isLast, waiting.isEmpty { return nil }
                }
            }
            return waiting.popLast()
        }
    }
}

/// The endpoints of which a reader has not been told the latest.
final class NoticeReader: Sendable {
    /// The signal that there may be more to take.
    let signal = ReaderSignal()

    /// The endpoints, and the demands on each that it has not been told of.
    private let news = Mutex<[Endpoint: [EndpointDemand.Reason]]>([:])

    func put(_ endpoint: Endpoint, _ demand: EndpointDemand.Reason? = nil) {
        news.withLock { news in
            var demands = news[endpoint] ?? []
            if let demand {
                // Each once, and the latest last.
                demands.removeAll { $0 == demand }
                demands.append(demand)
            }
            news[endpoint] = demands
        }
        signal.raise()
    }

    func take() -> [Endpoint: [EndpointDemand.Reason]] {
        signal.lower()
        return news.withLock { news in
            defer { news = [:] }
            return news
        }
    }
}

/// The reports of sessions and pins about endpoints, and who wants to know of them. A value.
struct EndpointReports {
    private(set) var sessions: [Endpoint: Liveness] = [:]
    private(set) var pins: [Endpoint: LeafFingerprint] = [:]
    private var readers = WeakReaders<NoticeReader>()

    /// The endpoints of which something is known.
    var endpoints: Set<Endpoint> { Set(sessions.keys).union(pins.keys) }

    mutating func add(_ reader: NoticeReader) { readers.add(reader) }

    mutating func note(_ event: BotMapEvent) {
        guard case .sessionLiveness(let endpoint, let liveness, roundTrip: _) = event, sessions[endpoint] != liveness
        else { return }
        sessions[endpoint] = liveness
        tell(endpoint)
    }

    mutating func pin(_ leaf: LeafFingerprint?, at endpoint: Endpoint) {
        guard pins[endpoint] != leaf else { return }
        pins[endpoint] = leaf
        tell(endpoint)
    }

    /// Passes on a demand of the map.
    func pass(_ demand: EndpointDemand) {
        for reader in readers.present { reader.put(demand.endpoint, demand.reason) }
    }

    func finish() {
        for reader in readers.present { reader.signal.end() }
    }

    private func tell(_ endpoint: Endpoint) {
        for reader in readers.present { reader.put(endpoint) }
    }
}
