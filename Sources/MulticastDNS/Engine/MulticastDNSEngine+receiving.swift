internal import CoreMetrics
internal import DNSMessages
internal import DNSSD
internal import EventLoops

/// The packets that come from the links.
extension MulticastDNSEngine {
    /// The largest number of packets of one socket that are taken in one turn: then the other sockets have theirs.
    static let packetsPerTurn = 64

    func read(_ path: ServicePath) {
        guard let port = ports[path] else { return }
        reading: for _ in 0..<Self.packetsPerTurn {
            switch reader.read(port.socket, interface: path.interface) {
            case .datagram(let datagram): take(datagram, on: path)
            case .nothing: continue
            case .empty: break reading
            }
        }
        if note(port.drops.take(from: port.socket), on: path) { port.querier.lost(now: clock.now) }
        turn()
    }

    /// Counts packets that were lost.
    ///
    /// - Returns: Whether there were any.
    func note(_ drops: Int, on path: ServicePath) -> Bool {
        guard drops > 0 else { return false }
        losses.packets += drops
        metrics.lost.increment(by: drops)
        // Whoever only publishes has lost questions, and those are asked again by whoever wants to know.
        if !browses.isEmpty { warn(.packetsLost(on: path)) }
        return true
    }

    private func take(_ datagram: Datagram, on path: ServicePath) {
        metrics.received.increment()
        // A packet to this host's own address can come to any of the sockets that share the port.
        guard let link = links[datagram.interface],
            let port = ports[ServicePath(interface: link.interface, family: path.family)]
        else { return }
        // RFC 6762 §11: only what comes from the link. A router would have taken one hop off; where the limit is another
        // one from the start, the address must be of the link.
        let source = datagram.source
        guard datagram.hopLimit == 255 || link.isOnLink(source.address) else { return metrics.offLink.increment() }
        guard let message = try? DNSMessage(decoding: datagram.bytes) else { return metrics.malformed.increment() }
        let place = ServicePath(interface: link.interface, family: path.family)
        let packet = ResponderPacket(message: message, source: source, path: place)
        responder.receive(packet, now: clock.now, using: &random)
        // RFC 6762 §6: an answer from another port is none. §6.7: a question from another port is for one host alone, and
        // tells the querier nothing.
        guard source.port == MulticastGroup.port else { return }
        var origin = Querier.Origin(source.address)
        origin.isOfThisHost = link.isOwn(source.address)
        origin.isOwn = link.isOwn(source.address) && port.echoes.remove(datagram.bytes)
        port.querier.receive(message, from: origin, now: clock.now, using: &random)
        limitInstances(port)
    }

    /// Counts what has come and gone on a link. Where there is more than may be on all of them, whoever has brought most on
    /// one of them loses what came last.
    func limitInstances(_ port: EnginePort) {
        instanceCounts.apply(port.querier.takeTurnover())
        while instanceCounts.count > configuration.maximumInstances {
            let crowded = ports.values.max { $0.querier.ledger.highestCount < $1.querier.ledger.highestCount }
            guard let crowded, crowded.querier.giveUpOne(using: &random) else { return }
            instanceCounts.apply(crowded.querier.takeTurnover())
        }
    }
}
