internal import DNSSD
internal import HostSystem

/// The socket of the engine on one interface and family, and what is learned through it.
final class EnginePort {
    /// The socket, on port 5353.
    let socket: UDPSocket

    /// The querier of this port, which stores what is known about the services there.
    var querier: Querier

    var drops = DropCounter()

    /// The packets that were sent last. They come back, since a group's packets are delivered to its own senders too.
    var echoes = SentPackets()

    init(_ socket: consuming UDPSocket, querier: Querier) {
        self.socket = socket
        self.querier = querier
    }
}
