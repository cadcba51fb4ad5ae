internal import DNSSD
internal import HostSystem

/// A UDP port through which one question is sent to one server.
final class ServerPort {
    private let socket: UDPSocket

    init(_ server: SocketAddress) throws(SystemError) {
        let socket = try UDPSocket(server.address.family)
        try socket.connect(to: server)
        self.socket = socket
    }

    func watch(_ loop: SocketLoop, _ whenReadable: @escaping @Sendable () -> Void) {
        loop.watch(socket.descriptor, handler: whenReadable)
    }

    /// Ends the watch, before the port is released.
    func close(_ loop: SocketLoop) { loop.unwatch(socket.descriptor) }

    func send(_ bytes: [UInt8]) throws(SystemError) { try socket.send(bytes) }

    /// Reads the next packet; `nil` if there is none.
    func receive() throws(SystemError) -> [UInt8]? { try socket.receive(most: UDPSocket.maximumLength) }
}

/// A TCP connection to one server: messages, each after its length in two bytes (RFC 1035 §4.2.2).
final class ServerConnection {
    /// The time for which a connection stays open when nothing waits for an answer.
    static let idleTimeout = Duration.seconds(5)

    /// The number of bytes that are read at once, so that others get their turn.
    private static let mostAtOnce = 1 << 17

    private let socket: StreamSocket
    private var output: [UInt8] = []
    private var input: [UInt8] = []

    /// The time at which it is closed; `nil` while something waits.
    var idleUntil: ContinuousClock.Instant?

    init(_ server: SocketAddress) throws(SystemError) {
        socket = try StreamSocket(connectingTo: server)
    }

    /// Watches the connection; for room only while there is something to write.
    func watch(_ loop: SocketLoop, _ whenReady: @escaping @Sendable () -> Void) {
        loop.watch(socket.descriptor, forWriting: !output.isEmpty, handler: whenReady)
    }

    /// Ends the watch, before the connection is released.
    func close(_ loop: SocketLoop) { loop.unwatch(socket.descriptor) }

    func append(_ message: [UInt8]) {
        idleUntil = nil
        let length = UInt16(clamping: message.count)
        output += [UInt8(length >> 8), UInt8(truncatingIfNeeded: length)] + message
    }

    /// Writes as much as there is room for.
    func write() throws(SystemError) {
        guard !output.isEmpty else { return }
        output.removeFirst(try socket.write(output[...]))
    }

    /// Reads what has come, and takes each message that is complete.
    ///
    /// - Returns: `false` if the server has ended the connection.
    func read(_ take: ([UInt8]) -> Void) throws(SystemError) -> Bool {
        let reading = try socket.read(most: Self.mostAtOnce)
        guard case .bytes(let bytes) = reading else {
            if case .end = reading { return false }
            return true
        }
        input += bytes
        var start = 0
        while input.count - start >= 2 {
            let end = start + 2 + Int(input[start]) << 8 + Int(input[start + 1])
            guard end <= input.count else { break }
            take(Array(input[(start + 2)..<end]))
            start = end
        }
        input.removeFirst(start)
        return true
    }
}
