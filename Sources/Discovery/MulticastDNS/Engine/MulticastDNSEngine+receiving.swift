internal import CoreMetrics
internal import DNSSD
internal import HostSystem

/// Receiving packets from the links.
extension MulticastDNSEngine {
    /// The largest number of packets that are read from one socket in one turn, so that the other sockets get theirs.
    private static let packetsPerTurn = 64

    func read(_ path: ServicePath) {
        guard let port = ports[path] else { return }
        let drops = port.link.read(with: &reader, most: Self.packetsPerTurn) { take($0, on: path) }
        if note(drops, on: path) { port.querier.lost(now: clock.now) }
        turn()
    }

    /// Counts packets that were lost.
    ///
    /// - Returns: Whether there were any.
    func note(_ drops: Int, on path: ServicePath) -> Bool {
        guard drops > 0 else { return false }
        condition.losses.packets += drops
        metrics.lost.increment(by: drops)
        // A process that only publishes has lost nothing but questions, and whoever asked will ask again.
        if !browses.isEmpty { warn(.packetsLost(on: path)) }
        return true
    }

    private func take(_ datagram: Datagram, on path: ServicePath) {
        metrics.received.increment()
        // A packet to this host's own address can arrive at any of the sockets that share the port.
        guard let link = links[datagram.interface],
            let port = ports[ServicePath(interface: link.interface, family: path.family)]
        else { return }
        // RFC 6762 §11: only packets from the link are accepted. A router would have decremented a hop limit of 255;
        // with any other hop limit, the source address must belong to the link.
        let source = datagram.source
        guard datagram.hopLimit == 255 || link.isOnLink(source.address) else { return metrics.offLink.increment() }
        guard let received = try? DNSReceivedMessage(decoding: datagram.bytes) else {
            return metrics.malformed.increment()
        }
        if !received.isComplete { metrics.incomplete.increment() }
        let place = ServicePath(interface: link.interface, family: path.family)
        let packet = ResponderPacket(received: received, source: source, path: place)
        responder.receive(packet, now: clock.now, using: &random)
        // RFC 6762 §6: a response from another port does not count. §6.7: a query from another port asks for a unicast
        // answer, and does not concern the querier.
        guard source.port == MulticastGroup.port else { return }
        var origin = Querier.Origin(source.address)
        origin.isOfThisHost = link.isOwn(source.address)
        origin.isOwn = link.isOwn(source.address) && port.echoes.remove(datagram.bytes)
        port.querier.receive(received, from: origin, now: clock.now, using: &random)
        limitInstances(port)
    }

    /// The number of bytes that the records of all links count for.
    private var heldBytes: Int { ports.values.reduce(0) { $0 + $1.querier.cache.bytes } }

    /// Counts the instances that have come and gone on a link. While there are too many on all links together, or too much
    /// is known of them, the source that has brought the most on one link loses its newest instance.
    func limitInstances(_ port: EnginePort) {
        instanceCounts.apply(port.querier.takeTurnover())
        while !configuration.allows(instances: instanceCounts.count, bytes: heldBytes) {
            let crowded = ports.values.max { $0.querier.ledger.highestCount < $1.querier.ledger.highestCount }
            guard let crowded, crowded.querier.giveUpOne(using: &random) else { return }
            instanceCounts.apply(crowded.querier.takeTurnover())
        }
    }
}
