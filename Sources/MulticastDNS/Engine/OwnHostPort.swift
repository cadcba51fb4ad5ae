/// A port from which this host is asked, for a moment.
final class OwnHostPort {
    let socket: UDPSocket
    let question: OwnHostQuestion
    var drops = DropCounter()

    /// When it is closed.
    var end: ContinuousClock.Instant

    init(_ socket: consuming UDPSocket, question: OwnHostQuestion, end: ContinuousClock.Instant) {
        self.socket = socket
        self.question = question
        self.end = end
    }
}
