internal import DNSSD
internal import EventLoops

/// A port from which this host is asked, for a moment: nothing of it goes out to the link.
final class OwnHostPort {
    /// The time for which answers are taken: a program that is busy may need some of it.
    private static let answerTime = Duration.seconds(1)

    let socket: UDPSocket
    let question: OwnHostQuestion
    var drops = DropCounter()

    /// The time at which it is closed.
    private(set) var end = ContinuousClock.now + answerTime

    /// Opens a port.
    ///
    /// - Parameters:
    ///   - path: The interface and family to ask on.
    ///   - id: The id of its questions.
    ///   - receiveBuffer: The bytes that may wait to be read; `nil` for what the system allows by itself.
    init(on path: ServicePath, id: UInt16, receiveBuffer: Int? = nil) throws(SystemError) {
        let socket = try UDPSocket(path.family)
        try socket.tellOrigins()
        try socket.multicast(through: path.interface)
        try socket.keepToOwnHost()
        if let receiveBuffer { socket.makeRoom(bytes: receiveBuffer) }
        try socket.bind(port: 0)
        self.socket = socket
        self.question = OwnHostQuestion(id: id)
    }

    /// Leaves it open for as long again.
    func extend() {
        end = .now + Self.answerTime
    }
}
