import DNSSD
import HostSystem
import TestSupport
import Testing

@testable import Discovery

/// A responder on one link with a clock that the test advances, and the actions that it has requested so far.
struct ResponderBench {
    /// A packet that was sent.
    struct Sent {
        let time: Duration
        let path: ServicePath
        let target: SocketAddress
        let size: Int
        let message: DNSMessage

        var isMulticast: Bool { target.address.isMulticast }
    }

    static let eth0 = NetworkInterface(index: 2, name: "eth0")
    static let start = ContinuousClock.now
    static let type = ServiceType(checkedName: "openclaw", transport: .tcp)
    static let typeName = "_openclaw._tcp.local"

    let link: Link
    let path: ServicePath
    var responder: Responder
    var random: SeededGenerator
    var time = Duration.zero
    var sent: [Sent] = []
    var states: [PublicationState] = []
    var warnings: [BackendWarning] = []

    var now: ContinuousClock.Instant { Self.start + time }

    init(
        host: String = "alpha",
        address: String = "10.0.0.1",
        seed: UInt64 = 1,
        limits: ResponderLimits = ResponderLimits()
    ) {
        link = Self.link(address)
        path = ServicePath(interface: Self.eth0, family: .ipv4)
        random = SeededGenerator(seed: seed)
        responder = Responder(systemName: host, limits: limits, now: Self.start)
        responder.setLinks([link], now: Self.start, using: &random)
    }

    static func link(_ addresses: String..., on interface: NetworkInterface = eth0) -> Link {
        Link(
            interface: interface,
            prefixes: addresses.compactMap { IPAddress($0) }
                .map { Link.Prefix(address: $0, length: $0.family == .ipv4 ? 24 : 64) }
        )
    }

    static func socket(_ address: String, port: UInt16 = 5_353) -> SocketAddress {
        SocketAddress(IPAddress(address) ?? .v4(IPv4Address(bits: 0)), port: port)
    }

    // MARK: Publishing

    mutating func publish(
        _ name: String = "Kitchen",
        port: UInt16 = 3_000,
        type: ServiceType = type,
        txt: [(String, String)] = [("v", "1")]
    ) throws -> PublicationID {
        let advertisement = Advertisement(name: name, types: [type], port: port, txt: try TXTRecord(txt))
        let id = try responder.publish(advertisement, now: now, using: &random)
        turn()
        return id
    }

    /// Publishes a service, and advances the clock until everything is announced and may be multicast again.
    mutating func establish(_ name: String = "Kitchen", port: UInt16 = 3_000) throws -> PublicationID {
        let id = try publish(name, port: port)
        advance(by: .seconds(5))
        #expect(states.last == .published(name: name))
        sent = []
        return id
    }

    // MARK: Time

    /// Lets the responder do the work that is due, and records its actions.
    mutating func turn() {
        for action in responder.turn(now: now, using: &random) {
            switch action {
            case .send(let bytes, on: let path, to: let target):
                guard let message = try? DNSMessage(decoding: bytes) else {
                    Issue.record("the responder sent a packet that cannot be decoded")
                    continue
                }
                sent.append(Sent(time: time, path: path, target: target, size: bytes.count, message: message))
            case .report(_, let state): states.append(state)
            case .warn(let warning): warnings.append(warning)
            }
        }
    }

    /// Advances the clock from one deadline of the responder to the next.
    mutating func advance(by duration: Duration) {
        let end = time + duration
        // The limit ends the loop if the responder always has a new deadline.
        for _ in 0..<10_000 {
            guard let deadline = responder.deadline, deadline <= Self.start + end else {
                time = end
                return
            }
            time = max(time, deadline - Self.start)
            turn()
        }
        Issue.record("the responder still has work to do after 10,000 turns")
    }

    // MARK: Receiving

    mutating func receive(
        _ message: DNSMessage,
        from address: String = "10.0.0.9",
        port: UInt16 = 5_353,
        on path: ServicePath? = nil
    ) {
        receive(DNSReceivedMessage(message), from: address, port: port, on: path)
    }

    mutating func receive(
        _ received: DNSReceivedMessage,
        from address: String = "10.0.0.9",
        port: UInt16 = 5_353,
        on path: ServicePath? = nil
    ) {
        let packet = ResponderPacket(
            received: received,
            source: Self.socket(address, port: port),
            path: path ?? self.path
        )
        responder.receive(packet, now: now, using: &random)
        turn()
    }

    mutating func ask(
        _ name: String,
        _ type: DNSRecordType,
        unicast: Bool = false,
        known: [DNSRecord] = [],
        truncated: Bool = false,
        id: UInt16 = 0,
        from address: String = "10.0.0.9",
        port: UInt16 = 5_353
    ) throws {
        var query = DNSMessage(id: id, answers: known)
        query.questions = [
            DNSQuestion(name: try DomainName(escaped: name), type: type, isUnicastWanted: unicast)
        ]
        query.flags.isTruncated = truncated
        receive(query, from: address, port: port)
    }

    // MARK: Sent packets

    /// All queries that were sent: probes, and look-ups of requested names.
    var probes: [Sent] { sent.filter { !$0.message.flags.isResponse } }

    /// All responses that were sent by multicast.
    var multicasts: [Sent] { sent.filter { $0.message.flags.isResponse && $0.isMulticast } }

    /// All responses that were sent by unicast.
    var unicasts: [Sent] { sent.filter { $0.message.flags.isResponse && !$0.isMulticast } }
}
