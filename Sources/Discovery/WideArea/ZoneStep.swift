internal import DNSSD

/// One step towards what is to be in a zone.
enum ZoneStep: Hashable, Sendable {
    /// Send an update of the zone that has a domain.
    case update(ZoneUpdate, domain: DomainName)

    /// Ask the server.
    case ask([DNSQuestion])

    /// Do nothing until then, or until something else is wanted.
    case rest(until: ContinuousClock.Instant?)
}

/// The result of a step.
enum ZoneResult: Hashable, Sendable {
    /// The update was made.
    case updated

    /// Each question was answered, in order.
    case answers([DNSMessage])

    /// The update was not made, or a question not answered.
    case failed(UpdateProblem)
}
