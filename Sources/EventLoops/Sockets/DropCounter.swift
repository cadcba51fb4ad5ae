/// A counter of the packets that a socket loses.
package struct DropCounter {
    private var counted: UInt32 = 0

    package init() {}

    /// Returns the number of packets that the socket has lost since the last call.
    package mutating func take(from socket: borrowing UDPSocket) -> Int {
        let dropped = socket.dropped
        defer { counted = dropped }
        return Int(dropped &- counted)
    }
}
