internal import DNSSD
internal import Scanning

/// The gateways of this host that the agent advertises because nobody else does: those that answer where other devices reach
/// them. A value.
struct UnadvertisedGateways: Hashable, Sendable {
    /// The time for which a gateway is left alone after something else has advertised it, too, in seconds. Two agents of one host
    /// withdraw at the same time; as different as their times are, one of them sees the other begin.
    private static let hold = 2.0...30.0

    /// The gateways, by their ports.
    private(set) var gateways: [UInt16: AdvertisedGateway] = [:]

    /// The times until which some are left alone, by their ports.
    private var holds: [UInt16: ContinuousClock.Instant] = [:]

    /// The next time at which one of those that are left alone may begin again; `nil` if there is none.
    var nextEnd: ContinuousClock.Instant? { holds.values.min() }

    /// Takes in what the map shows. One that has begun goes on while its program listens, though it does not answer: its
    /// advertiser withdraws it meanwhile. It ends once something else on this host advertises the gateway, too, and does not
    /// begin again for a while.
    ///
    /// - Parameters:
    ///   - rows: The rows of the map.
    ///   - found: The endpoints at which programs of this host listen, whoever else leads there.
    ///   - named: The ports of those that the settings name, which are advertised anyway.
    ///   - now: The present moment.
    ///   - generator: Makes the times for which they are left alone.
    ///   - isOwn: Indicates whether other devices reach this host at an address; never so for one of a network of containers.
    mutating func take(
        _ rows: [Gateway],
        found: Set<Endpoint>,
        named: Set<UInt16>,
        at now: ContinuousClock.Instant,
        using generator: inout some RandomNumberGenerator,
        isOwn: (IPAddress) -> Bool
    ) {
        holds = holds.filter { now < $0.value }
        var next: [UInt16: AdvertisedGateway] = [:]
        for row in rows {
            let places = row.paths.filter { path in
                found.contains(path.endpoint) && isOwn(path.endpoint.address) && !named.contains(path.endpoint.port)
            }
            let begun = Set(places.map(\.endpoint.port).filter { gateways[$0] != nil })
            let advertised = Set(row.discoveredServices.filter(\.isOwn).map(\.instance))
            // Ours alone, or none yet.
            guard advertised.count <= begun.count else {
                let end = now + .seconds(Double.random(in: Self.hold, using: &generator))
                for port in begun { holds[port] = end }
                continue
            }
            for port in begun { next[port] = gateways[port] }
            guard begun.isEmpty,
                let first = places.filter({ $0.counts && $0.liveness == .answering }).map(\.endpoint).min(),
                places.allSatisfy({ holds[$0.endpoint.port] == nil })
            else { continue }
            next[first.port] = (try? ProbeAddress("\(first)")).flatMap { try? AdvertisedGateway($0) }
        }
        gateways = next
    }
}
