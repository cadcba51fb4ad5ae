import DNSSD
import HostSystem
import TestSupport
import Testing

@testable import Discovery

/// A link with several responders, on which packets are lost, duplicated and delayed. A multicast packet also reaches
/// its sender.
struct SimulatedLink {
    typealias Packet = (bytes: [UInt8], path: ServicePath, target: SocketAddress)

    /// A responder on the link.
    struct Station {
        let address: String
        var responder: Responder
        var random: SeededGenerator
        var states: [PublicationState] = []

        /// The publications that were last reported as published.
        private(set) var published: Set<PublicationID> = []

        /// The name of its publication, if the last reported state is that it is published.
        var name: String? {
            if case .published(let name) = states.last { name } else { nil }
        }

        mutating func publish(_ advertisement: Advertisement, now: ContinuousClock.Instant) throws -> PublicationID {
            try responder.publish(advertisement, now: now, using: &random)
        }

        mutating func receive(_ packet: ResponderPacket, now: ContinuousClock.Instant) {
            responder.receive(packet, now: now, using: &random)
        }

        /// Does the work that is due, stores the reported states, and returns the packets to send.
        mutating func turn(now: ContinuousClock.Instant) -> [Packet] {
            var packets: [Packet] = []
            for action in responder.turn(now: now, using: &random) {
                switch action {
                case .send(let bytes, on: let path, to: let target): packets.append((bytes, path, target))
                case .report(let id, let state):
                    states.append(state)
                    if case .published = state { published.insert(id) } else { published.remove(id) }
                case .warn(let warning): Issue.record("\(warning)")
                }
            }
            return packets
        }
    }

    /// A packet on its way.
    private struct Flight {
        let arrival: Duration
        let bytes: [UInt8]
        let source: String
        let receiver: Int
        let path: ServicePath
    }

    var stations: [Station]
    var time = Duration.zero
    var random: SeededGenerator

    /// The percentage of packets that are lost, and of those that arrive twice.
    var loss: UInt64
    var duplication: UInt64

    /// The multicast records so far, each with its latest TTL.
    private(set) var heard: [DNSRecord: UInt32] = [:]

    private(set) var packetCount = 0

    /// Descriptions of the SRV records that pointed to a host name that their sender did not own, or did not own yet.
    private(set) var misleading: [String] = []
    private var flights: [Flight] = []
    private let path = ServicePath(interface: ResponderBench.eth0, family: .ipv4)

    /// Creates a link.
    ///
    /// - Parameter isDual: Whether each station has an IPv6 address as well, which its IPv4 address follows from.
    init(
        addresses: [String],
        hosts: [String],
        seed: UInt64,
        loss: UInt64 = 0,
        duplication: UInt64 = 0,
        isDual: Bool = false
    ) {
        var random = SeededGenerator(seed: seed)
        stations = zip(addresses, hosts).map { address, host in
            var own = SeededGenerator(seed: random.next())
            var responder = Responder(systemName: host, now: ResponderBench.start)
            let prefixes =
                ResponderBench.link(address).prefixes
                + (isDual ? ResponderBench.link(Self.address(.ipv6, of: address)).prefixes : [])
            let dual = Link(interface: ResponderBench.eth0, prefixes: prefixes)
            responder.setLinks([dual], now: ResponderBench.start, using: &own)
            return Station(address: address, responder: responder, random: own)
        }
        self.random = random
        self.loss = loss
        self.duplication = duplication
    }

    /// Returns the address of a station in a family.
    private static func address(_ family: AddressFamily, of address: String) -> String {
        family == .ipv4 ? address : "fe80::\(address.split(separator: ".").last ?? "1")"
    }

    /// The number of publications of all stations that were last reported as published.
    var publishedCount: Int { stations.reduce(0) { $0 + $1.published.count } }

    private var now: ContinuousClock.Instant { ResponderBench.start + time }

    mutating func publish(_ name: String, port: UInt16, at index: Int) throws -> PublicationID {
        let advertisement = Advertisement(name: name, types: [ResponderBench.type], port: port)
        defer { turn(index) }
        return try stations[index].publish(advertisement, now: now)
    }

    mutating func withdraw(_ id: PublicationID, at index: Int) {
        stations[index].responder.withdraw(id, now: now)
        turn(index)
    }

    /// Advances the clock, delivers packets and lets the responders do their work.
    mutating func advance(by duration: Duration) {
        let end = time + duration
        for _ in 0..<200_000 {
            let due = stations.compactMap(\.responder.deadline).map { $0 - ResponderBench.start }.min()
            let arrival = flights.map(\.arrival).min()
            guard let next = [due, arrival].compactMap({ $0 }).min(), next <= end else {
                time = end
                return
            }
            time = max(time, next)
            let arrived = flights.filter { $0.arrival <= time }
            flights.removeAll { $0.arrival <= time }
            for flight in arrived { deliver(flight) }
            for index in stations.indices {
                if let deadline = stations[index].responder.deadline, deadline <= now { turn(index) }
            }
        }
        Issue.record("the responders still have work to do after 200,000 steps")
    }

    /// Delivers a query of another host to all responders.
    mutating func ask(_ questions: [DNSQuestion]) {
        let packet = ResponderPacket(
            received: DNSReceivedMessage(DNSMessage(questions: questions)),
            source: ResponderBench.socket("10.0.0.99"),
            path: path
        )
        for index in stations.indices {
            stations[index].receive(packet, now: now)
            turn(index)
        }
    }

    private mutating func deliver(_ flight: Flight) {
        guard let received = try? DNSReceivedMessage(decoding: flight.bytes) else { return }
        let packet = ResponderPacket(
            received: received,
            source: ResponderBench.socket(flight.source),
            path: flight.path
        )
        stations[flight.receiver].receive(packet, now: now)
        turn(flight.receiver)
    }

    private mutating func turn(_ index: Int) {
        for packet in stations[index].turn(now: now) { send(packet, from: index) }
    }

    private mutating func send(_ packet: Packet, from sender: Int) {
        let (bytes, path, target) = packet
        packetCount += 1
        if target.address.isMulticast, let message = try? DNSMessage(decoding: bytes), message.flags.isResponse {
            for case .srv(let location) in (message.answers + message.additionals).filter({ $0.ttl > 0 }).map(\.data) {
                let responder = stations[sender].responder
                let isOurs =
                    responder.claims[.host]?.phases[path]?.isOurs == true && responder.host.name == location.target
                if !isOurs { misleading.append("\(time): station \(sender) leads to \(location.target)") }
            }
            for var record in message.answers + message.additionals {
                let ttl = record.ttl
                record.ttl = 0
                record.isCacheFlush = false
                heard[record] = ttl
            }
        }
        for receiver in stations.indices {
            guard
                target.address.isMulticast
                    || target.address.description.hasPrefix(Self.address(path.family, of: stations[receiver].address))
            else {
                continue
            }
            // Packets within a host are never lost.
            let isLocal = stations[receiver].address == stations[sender].address
            if !isLocal, random.next() % 100 < loss { continue }
            for _ in 0...(random.next() % 100 < duplication ? 1 : 0) {
                let delay = Duration.microseconds(Int(random.next() % (isLocal ? 200 : 30_000)))
                flights.append(
                    Flight(
                        arrival: time + delay,
                        bytes: bytes,
                        source: Self.address(path.family, of: stations[sender].address),
                        receiver: receiver,
                        path: path
                    )
                )
            }
        }
    }

    /// Indicates whether no work remains but the search whether requested names are free.
    var isAtRest: Bool { stations.allSatisfy { $0.responder.deadline == $0.responder.lookupDeadline } }

    /// The instances that were announced and not withdrawn, as a listener that loses no packet sees them.
    var visible: Set<String> {
        let names = heard.compactMap { record, ttl -> String? in
            guard ttl > 0, record.name.escaped == ResponderBench.typeName, case .ptr(let target) = record.data else {
                return nil
            }
            return target.labels.map { String(decoding: $0, as: UTF8.self) }.first
        }
        return Set(names)
    }
}
