internal import DNSSD

/// The socket of the engine on one interface and family, and what is known through it.
final class EnginePort {
    /// The socket, on port 5353.
    let socket: UDPSocket

    /// What is known of services there.
    var querier: Querier

    var drops = DropCounter()

    /// What was sent last: it comes back, as the group is heard by its own senders too.
    var echoes = SentPackets()

    init(_ socket: consuming UDPSocket, querier: Querier) {
        self.socket = socket
        self.querier = querier
    }
}
