public import DNSSD
public import GatewayProtocol
internal import Synchronization

/// A notice about an endpoint from the parts of a program that share a ``Constellation``, for the one that asks endpoints
/// whether they answer: with a live session, nothing need be asked there.
public struct EndpointNotice: Hashable, Sendable {
    /// The endpoint.
    public let endpoint: Endpoint

    /// The liveness that its sessions see: ``BotMapEvent/sessionLiveness(_:_:roundTrip:)``. `nil` if it has none.
    public let session: Liveness?

    /// The gateway that answers there, if one does.
    public let identity: GatewayIdentity?

    /// The leaf that it has to show: ``Constellation/pin(_:at:)``. `nil` if any will do.
    public let pin: LeafFingerprint?

    /// What the map wants to know of it since the last notice, because of what others have reported.
    public let demands: [EndpointDemand.Reason]
}

/// The notices of a ``Constellation``: first those of all endpoints, then one for each endpoint of which something has
/// changed. A slow reader gets only the latest of each endpoint. The sequence ends when the constellation is finished, or
/// when the task that iterates is cancelled.
public struct EndpointNotices: AsyncSequence, Sendable {
    public typealias Element = EndpointNotice
    public typealias Failure = Never

    private let constellation: Constellation

    init(_ constellation: Constellation) {
        self.constellation = constellation
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(constellation) }

    /// The iterator, which returns the notices one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let constellation: Constellation
        private let reader = NoticeReader()
        private var wakes: AsyncStream<Void>.Iterator
        private var isFirst = true
        private var waiting: [EndpointNotice] = []

        fileprivate init(_ constellation: Constellation) {
            self.constellation = constellation
            wakes = reader.wakes.makeAsyncIterator()
        }

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> EndpointNotice? {
            while waiting.isEmpty {
                if isFirst {
                    isFirst = false
                    waiting = await constellation.begin(reader).reversed()
                } else {
                    guard await wakes.next(isolation: actor) != nil else { return nil }
                    waiting = await constellation.notices(for: reader).reversed()
                }
            }
            return waiting.popLast()
        }
    }
}

/// The endpoints of which a reader has not been told the latest.
final class NoticeReader: Sendable {
    let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    /// The endpoints, and the demands on each that it has not been told of.
    private let news = Mutex<[Endpoint: [EndpointDemand.Reason]]>([:])

    init() {
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit { wake.finish() }

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
        wake.yield()
    }

    func take() -> [Endpoint: [EndpointDemand.Reason]] {
        news.withLock { news in
            defer { news = [:] }
            return news
        }
    }

    func finish() { wake.finish() }
}

/// The reports of sessions and pins about endpoints, and who wants to know of them. A value.
struct EndpointReports {
    private struct WeakReader {
        weak var reader: NoticeReader?
    }

    private(set) var sessions: [Endpoint: Liveness] = [:]
    private(set) var pins: [Endpoint: LeafFingerprint] = [:]
    private var readers: [WeakReader] = []

    /// The endpoints of which something is known.
    var endpoints: Set<Endpoint> { Set(sessions.keys).union(pins.keys) }

    mutating func add(_ reader: NoticeReader) {
        readers.removeAll { $0.reader == nil }
        readers.append(WeakReader(reader: reader))
    }

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
        for item in readers { item.reader?.put(demand.endpoint, demand.reason) }
    }

    func finish() {
        for item in readers { item.reader?.finish() }
    }

    private func tell(_ endpoint: Endpoint) {
        for item in readers { item.reader?.put(endpoint) }
    }
}
