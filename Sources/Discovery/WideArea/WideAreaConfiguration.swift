package import DNSSD

/// The zones in which services are sought by unicast DNS (RFC 6763), and how they are asked.
package struct WideAreaConfiguration: Hashable, Sendable {
    /// The default of ``questionsPerSecond``.
    package static let mostQuestionsPerSecond = 50

    /// The domains that the user has named. Their services may have any address but loopback and the like.
    package var domains: [DomainName]

    /// The servers to ask; empty for those of the system.
    package var servers: [Endpoint]

    /// Indicates whether the domains are browsed as well that the network names (RFC 6763 §11). Their services obey the same
    /// rules as those of multicast DNS.
    package var usesNetworkDomains: Bool

    /// The maximum number of questions per second by which what is known is kept up to date. Beyond it, changes are seen later.
    package var questionsPerSecond: Int

    /// Creates settings; by default nothing is asked.
    package init(
        domains: [DomainName] = [],
        servers: [Endpoint] = [],
        usesNetworkDomains: Bool = false,
        questionsPerSecond: Int = mostQuestionsPerSecond
    ) {
        self.domains = domains
        self.servers = servers
        self.usesNetworkDomains = usesNetworkDomains
        self.questionsPerSecond = max(questionsPerSecond, 1)
    }

    /// Indicates whether there is nothing to ask for.
    package var isEmpty: Bool { domains.isEmpty && !usesNetworkDomains }
}

extension DomainName {
    /// Indicates whether unicast DNS may have it: it is neither the root nor in the domain of multicast DNS.
    package var isZone: Bool { !isRoot && !isWithin(.local) }
}
