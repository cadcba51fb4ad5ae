package import DNSSD

/// The facts about one place of a gateway: how it came to be known, what answers there, and what this host knows of the
/// way to it.
package struct PlaceFacts: Hashable, Sendable {
    /// A source that names a place.
    package enum Source: String, Hashable, Sendable, CaseIterable {
        /// An advertisement.
        case advertised
        /// The user.
        case typed
        /// The pairing.
        case paired
        /// The pairing, as its address outside of this network.
        case outside
    }

    /// A transport that the user has demanded by the scheme of a URL.
    package enum Demand: Hashable, Sendable {
        /// `wss` or `https`.
        case tls
        /// `ws` or `http`.
        case plain
    }

    /// The knowledge of this host about the machine at an address.
    package enum Neighbour: Hashable, Sendable {
        /// It is on a link of this host, which knows its hardware address: it is there.
        case known
        /// It is on a link of this host, which has no hardware address of it: nobody has answered for it.
        case unknown
        /// It is on another network.
        case beyond
        /// No route leads to it.
        case noRoute
        /// It is this host itself.
        case ownHost
    }

    /// The address and port.
    package var endpoint: Endpoint

    /// The sources that name it.
    package var sources: Set<Source>

    /// The answer that came from there.
    package var answer: PlaceAnswer

    /// The version of its protocol that a Clawline provider has named there.
    package var protocolVersion: Int?

    /// The transport that the user has demanded there; `nil` if none.
    package var demand: Demand?

    /// The knowledge of this host about the machine there.
    package var neighbour: Neighbour

    /// Indicates whether the address is in a network of containers, which exists inside one host alone.
    package var isOfContainers: Bool

    /// The interface that has the address, where it is one of this host in a network of containers; `nil` where that is
    /// not known.
    package var containerInterface: String?

    /// The addresses of this host at which a program listens at the port, where the place is this host itself.
    package var listeners: [Endpoint]

    /// Creates the facts of a place; by default of one on another network, of which nothing else is known.
    package init(
        _ endpoint: Endpoint,
        sources: Set<Source>,
        answer: PlaceAnswer,
        demand: Demand? = nil,
        neighbour: Neighbour = .beyond,
        isOfContainers: Bool = false,
        containerInterface: String? = nil,
        listeners: [Endpoint] = []
    ) {
        self.endpoint = endpoint
        self.sources = sources
        self.answer = answer
        self.demand = demand
        self.neighbour = neighbour
        self.isOfContainers = isOfContainers
        self.containerInterface = containerInterface
        self.listeners = listeners
    }

    /// Indicates whether the gateway answers there.
    package var isAlive: Bool {
        if case .gateway = answer { true } else { false }
    }

    /// Indicates whether it listens only where no other host reaches it.
    var isOnLoopbackAlone: Bool {
        !listeners.isEmpty && listeners.allSatisfy { $0.address.unmapped.isLoopback }
    }
}
