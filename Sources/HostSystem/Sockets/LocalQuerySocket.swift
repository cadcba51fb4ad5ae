package import DNSSD

/// A short-lived port for queries to this host alone: nothing sent from it goes out to the link.
package final class LocalQuerySocket {
    /// The time for which answers are accepted, enough for a busy program to answer.
    private static let answerTime = Duration.seconds(1)

    package let socket: UDPSocket

    /// The id of the queries. An answer must repeat it, which shows that its sender has seen one of them.
    package let id: UInt16
    package var drops = DropCounter()

    /// The time at which the port is to be closed.
    package private(set) var end: ContinuousClock.Instant

    /// Opens a port.
    ///
    /// - Parameters:
    ///   - path: The interface and family on which to query.
    ///   - id: The id of the queries.
    ///   - receiveBuffer: The size of the receive buffer in bytes; `nil` for the system's default.
    ///   - now: The time at which the port is opened.
    package init(
        on path: ServicePath,
        id: UInt16,
        receiveBuffer: Int? = nil,
        now: ContinuousClock.Instant
    ) throws(SystemError) {
        let socket = try UDPSocket(path.family)
        try socket.receiveOrigins()
        try socket.multicast(through: path.interface)
        try socket.limitToThisHost()
        if let receiveBuffer { socket.makeRoom(bytes: receiveBuffer) }
        try socket.bind(port: 0)
        self.socket = socket
        self.id = id
        self.end = now + Self.answerTime
    }

    /// Keeps the port open for the full answer time from now on.
    package func extend(now: ContinuousClock.Instant) {
        end = now + Self.answerTime
    }
}
