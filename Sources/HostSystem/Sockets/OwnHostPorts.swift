package import DNSSD

/// The short-lived ports from which this host alone is asked, one for each path. A port that is still open serves the next
/// question, too.
package struct OwnHostPorts {
    private struct Open {
        let port: LinkPort
        let id: UInt16
        var end: ContinuousClock.Instant
    }

    /// The time for which answers are accepted, enough for a busy program to answer.
    private static let answerTimeout = Duration.seconds(1)

    private let loop: SocketLoop
    private let receiveBuffer: Int?
    private var open: [ServicePath: Open] = [:]

    package init(loop: SocketLoop, receiveBuffer: Int? = nil) {
        self.loop = loop
        self.receiveBuffer = receiveBuffer
    }

    /// The time at which the next port is to be closed; `nil` while none is open.
    package var deadline: ContinuousClock.Instant? { open.values.map(\.end).min() }

    /// Asks on a path.
    ///
    /// - Parameters:
    ///   - group: The group of multicast DNS there, and its port.
    ///   - packets: Returns the packets for an id. An answer must repeat the id, which shows that its sender has seen one
    ///     of them.
    ///   - whenReadable: Called when answers have come: see ``LinkPort``.
    /// - Throws: When the system provides no port.
    package mutating func ask(
        on path: ServicePath,
        group: Endpoint,
        now: ContinuousClock.Instant,
        _ packets: (UInt16) -> [[UInt8]],
        whenReadable: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let end = now + Self.answerTimeout
        var asking: Open
        if let known = open[path] {
            asking = known
            asking.end = end
        } else {
            let port = try LinkPort(
                .askingThisHost,
                on: path,
                group: group,
                receiveBuffer: receiveBuffer,
                loop: loop,
                whenReadable: whenReadable
            )
            asking = Open(port: port, id: .random(in: 1 ... .max), end: end)
        }
        open[path] = asking
        for packet in packets(asking.id) { try? asking.port.send(packet) }
    }

    /// Reads the packets that have come to the port of a path, each with the id that an answer must have.
    ///
    /// - Returns: The number of packets that were lost.
    package func read(
        _ path: ServicePath,
        with reader: inout DatagramReader,
        _ take: (Datagram, UInt16) -> Void
    ) -> Int {
        guard let asking = open[path] else { return 0 }
        return asking.port.read(with: &reader) { take($0, asking.id) }
    }

    /// Closes the ports on which no answer is expected any more, and those of some other paths.
    ///
    /// - Parameter now: The present time; `nil` closes all of them.
    package mutating func close(
        until now: ContinuousClock.Instant?,
        andWhere isClosed: (ServicePath) -> Bool = { _ in false }
    ) {
        for (path, asking) in open where now.map({ asking.end <= $0 }) ?? true || isClosed(path) {
            asking.port.close()
            open[path] = nil
        }
    }
}
