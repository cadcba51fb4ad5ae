public import DNSSD

/// The state of the advertising of a gateway.
public enum GatewayAdvertiserState: Hashable, Sendable {
    /// The gateway is being asked for the first time. Nothing is visible on the network.
    case asking

    /// The gateway is not advertised, or is just being withdrawn, for this reason. It is asked again and again.
    case withheld(WithholdingReason)

    /// The gateway is advertised with the facts that it reports; the publication is in this state.
    case advertising(AdvertisedFacts, Advertisement, PublicationState)

    /// The advertiser has ended, because it was asked to. Nothing is visible on the network.
    case ended

    /// The advertiser has given up, because publishing is not possible, for this reason. Nothing is visible on the
    /// network.
    case failed(BackendError)
}

/// The states of a ``GatewayAdvertiser``. A slow reader gets the latest sixteen.
package struct GatewayAdvertiserStates: AsyncSequence, Sendable {
    package typealias Element = GatewayAdvertiserState
    package typealias Failure = Never

    private let stream: AsyncStream<GatewayAdvertiserState>

    init(_ stream: AsyncStream<GatewayAdvertiserState>) {
        self.stream = stream
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream.makeAsyncIterator())
    }

    /// Takes the states one by one.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private var base: AsyncStream<GatewayAdvertiserState>.AsyncIterator

        fileprivate init(_ base: AsyncStream<GatewayAdvertiserState>.AsyncIterator) {
            self.base = base
        }

        package mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> GatewayAdvertiserState? {
            await base.next(isolation: actor)
        }
    }
}
