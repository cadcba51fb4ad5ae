package import DNSSD

/// A UDP port for multicast DNS on one link, watched by a loop. It is used on the thread of that loop alone.
package final class LinkPort {
    /// The use of a port, which decides how it is bound, and how far its packets go.
    package enum Use: Hashable, Sendable {
        /// Questions to the other hosts. The daemon of this host would take them for some that are answered by multicast,
        /// and not ask itself for a second.
        case asking

        /// Questions to this host: nothing goes out to the link.
        case askingThisHost

        /// Hearing what is sent to the group, beside the daemon. The port is bound to the group's address, so that unicast
        /// packets for the daemon or another program do not arrive here instead (RFC 6762 §15).
        case hearing

        /// Being a responder and a querier, on the port of multicast DNS.
        case responding
    }

    package let path: ServicePath
    private let socket: UDPSocket
    private let loop: SocketLoop
    private let group: SocketAddress
    private var drops = DropCounter()

    /// Opens a port.
    ///
    /// - Parameters:
    ///   - path: The interface and family.
    ///   - group: The group of multicast DNS there, and its port.
    ///   - receiveBuffer: The size of the receive buffer in bytes; `nil` for the system's default.
    ///   - loop: The loop that watches it until ``close()``.
    ///   - whenReadable: Called on the loop's thread whenever packets have come. It must not hold the loop.
    package init(
        _ use: Use,
        on path: ServicePath,
        group: Endpoint,
        receiveBuffer: Int? = nil,
        loop: SocketLoop,
        whenReadable: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let group = SocketAddress(group.address, port: group.port)
        let socket = try UDPSocket(path.family)
        try socket.receiveOrigins()
        try socket.multicast(through: path.interface)
        if let receiveBuffer { socket.makeRoom(bytes: receiveBuffer) }
        switch use {
        case .asking:
            try socket.disableMulticastLoopback()
            try socket.bind(port: 0)
        case .askingThisHost:
            try socket.limitToThisHost()
            try socket.bind(port: 0)
        case .hearing:
            try socket.shareAddress()
            try socket.bind(to: group)
            try socket.join(group.address, on: path.interface)
        case .responding:
            try socket.shareAddress()
            try socket.bind(port: group.port)
            try socket.join(group.address, on: path.interface)
        }
        self.path = path
        self.socket = socket
        self.loop = loop
        self.group = group
        loop.watch(self.socket.descriptor, handler: whenReadable)
    }

    /// Ends the watch, before the port is released.
    package func close() { loop.unwatch(socket.descriptor) }

    /// Reads the packets that have come, up to a number, so that the other ports of the loop get their turn.
    ///
    /// - Returns: The number of packets that were lost since the last call.
    package func read(with reader: inout DatagramReader, most: Int = 16, _ take: (Datagram) -> Void) -> Int {
        reading: for _ in 0..<most {
            switch reader.read(socket, interface: path.interface) {
            case .datagram(let datagram): take(datagram)
            case .nothing: continue
            case .empty: break reading
            }
        }
        return drops.take(from: socket)
    }

    /// Sends a packet, to the group unless an address is given.
    ///
    /// - Throws: See ``UDPSocket/send(_:to:)``.
    package func send(_ bytes: [UInt8], to destination: SocketAddress? = nil) throws(SystemError) {
        try socket.send(bytes, to: destination ?? group)
    }
}

extension [ServicePath: LinkPort] {
    /// Closes and removes the ports of some paths; by default all.
    package mutating func close(where isClosed: (ServicePath) -> Bool = { _ in true }) {
        for (path, port) in self where isClosed(path) {
            port.close()
            self[path] = nil
        }
    }
}
