package import DNSSD
package import GatewayProtocol

/// The reason why a gateway is not advertised, for people to read. It is advertised as soon as the reason no longer applies.
package enum WithholdingReason: Hashable, Sendable, CustomStringConvertible {
    /// The gateway does not answer.
    case noAnswer(NoAnswer)

    /// Something answers in the gateway's place that is not a gateway.
    case noGateway(ForeignAnswer)

    /// The gateway answers where it was asked, but at none of this host's addresses on the network.
    case notReachable(addresses: [IPAddress])

    /// Something else answers on the gateway's port at this address of this host on the network.
    case otherAtAddress(IPAddress)

    /// This host has no address on a network.
    case noNetwork

    /// The gateway reports another name than the configured one.
    case otherName(said: String)

    /// Gateways of its dialect have no service type under which DNS-SD would find them.
    case noServiceType(GatewayDialect)

    /// The facts that the gateway reports do not fit into an advertisement, for this reason.
    case notPublishable(String)

    /// The configured address does not belong to this host, while the advertisement would name this host.
    case otherHost(IPAddress)

    /// A description for people of the problem and of what to do. It is not cleaned.
    package var description: String {
        switch self {
        case .noAnswer(let reason):
            "it does not answer: \(reason)"
        case .noGateway(let answer):
            "no gateway answers there, but \(answer.summary)"
        case .notReachable(let addresses):
            "other hosts cannot reach it: it answers on this host alone, and not at "
                + "\(addresses.map(\.description).joined(separator: ", ")). "
                + "Let it listen on 0.0.0.0 or ::, and see whether a firewall is in the way"
        case .otherAtAddress(let address):
            "other hosts cannot reach it: at \(address) something else answers on its port"
        case .noNetwork:
            "this host has no address on a network"
        case .otherName(let said):
            "it calls itself \"\(said)\", which is what is advertised; name it there, and give no other name here"
        case .noServiceType(let dialect):
            "gateways of the dialect \(dialect.rawValue) have no service type of their own; give one"
        case .notPublishable(let problem):
            "what it says cannot be advertised: \(problem)"
        case .otherHost(let address):
            "\(address) is not an address of this host, and only a gateway of this host can be advertised from here; "
                + "advertise it from its own host"
        }
    }
}
