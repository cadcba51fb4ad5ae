package import DNSSD

/// A port from which this host is asked, for a moment: nothing of it goes out to the link.
package final class OwnHostPort {
    /// The time for which answers are taken: a program that is busy may need some of it.
    private static let answerTime = Duration.seconds(1)

    package let socket: UDPSocket

    /// The id of its questions, which an answer has to repeat: who answers must have seen one of them.
    package let id: UInt16
    package var drops = DropCounter()

    /// The time at which it is closed.
    package private(set) var end: ContinuousClock.Instant

    /// Opens a port.
    ///
    /// - Parameters:
    ///   - path: The interface and family to ask on.
    ///   - id: The id of its questions.
    ///   - receiveBuffer: The bytes that may wait to be read; `nil` for what the system allows by itself.
    ///   - now: The time from which it is open.
    package init(
        on path: ServicePath,
        id: UInt16,
        receiveBuffer: Int? = nil,
        now: ContinuousClock.Instant
    ) throws(SystemError) {
        let socket = try UDPSocket(path.family)
        try socket.receiveOrigins()
        try socket.multicast(through: path.interface)
        try socket.keepToOwnHost()
        if let receiveBuffer { socket.makeRoom(bytes: receiveBuffer) }
        try socket.bind(port: 0)
        self.socket = socket
        self.id = id
        self.end = now + Self.answerTime
    }

    /// Leaves it open for as long again.
    package func extend(now: ContinuousClock.Instant) {
        end = now + Self.answerTime
    }
}
