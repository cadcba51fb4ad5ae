internal import HostSystem

/// The port of the engine on one interface and family, and what is learned through it.
final class EnginePort {
    /// The port itself, 5353.
    let link: LinkPort

    /// The querier of this port, which stores what is known about the services there.
    var querier: Querier

    /// The packets that were sent last. They come back, since a group's packets are delivered to its own senders too.
    var echoes = SentPackets()

    init(_ link: LinkPort, querier: Querier) {
        self.link = link
        self.querier = querier
    }
}
