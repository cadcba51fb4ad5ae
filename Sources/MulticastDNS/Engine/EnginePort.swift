internal import DNSSD
internal import EventLoops

/// The socket of the engine on one interface and family, and what is known through it.
final class EnginePort {
    /// The socket, on port 5353.
    let socket: UDPSocket

    /// The querier of this port, which keeps what is known of services there.
    var querier: Querier

    var drops = DropCounter()

    /// The packets that were sent last: they come back, as the group is heard by its own senders too.
    var echoes = SentPackets()

    init(_ socket: consuming UDPSocket, querier: Querier) {
        self.socket = socket
        self.querier = querier
    }
}
