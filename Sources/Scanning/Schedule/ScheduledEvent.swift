internal import DNSSD

/// Something that is due at a time.
struct ScheduledEvent: Comparable {
    enum Purpose: Hashable {
        /// An endpoint is to be asked; the number is that of its schedule, of which only the latest counts.
        case ask(Endpoint, number: Int)
        /// The time for the answer to a question is over.
        case answerOverdue(Endpoint, question: Int)
        /// A minute has passed since too much came from an endpoint.
        case floodOver(Endpoint)
        /// An endpoint that stopped answering then has been silent for so long that it loses its place.
        case retire(Endpoint, since: ContinuousClock.Instant)
        /// The host of an address is to be asked which services it has.
        case askHost(IPAddress)
        /// An address may see more connections.
        case budgetFreed(AddressGroup)
        /// This host has had time to announce a service that leads to it as its own.
        case ownAnnouncementOverdue(ServiceInstance)
    }

    let time: ContinuousClock.Instant

    /// Indicates whether it goes before other events that are due at the same time.
    var isUrgent = false

    /// The time at which it was first due, if it had to wait for its turn: the event that has waited longest comes
    /// first.
    var waitsSince: ContinuousClock.Instant?

    let purpose: Purpose

    static func == (lhs: ScheduledEvent, rhs: ScheduledEvent) -> Bool { !(lhs < rhs) && !(rhs < lhs) }

    static func < (lhs: ScheduledEvent, rhs: ScheduledEvent) -> Bool {
        if lhs.time != rhs.time { return lhs.time < rhs.time }
        if lhs.isUrgent != rhs.isUrgent { return lhs.isUrgent }
        return (lhs.waitsSince ?? lhs.time) < (rhs.waitsSince ?? rhs.time)
    }
}
