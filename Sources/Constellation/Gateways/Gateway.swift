public import DNSSD
public import GatewayProtocol

/// One gateway, however many services, types and paths lead to it. A row of the map.
///
/// Everything in it but its pairings comes from the network and is untrusted.
public struct Gateway: Hashable, Sendable {
    /// All of it but its paths.
    let particulars: GatewayParticulars

    /// Its endpoints, the one to try first in front. Empty for a paired gateway that is not here.
    public internal(set) var paths: [GatewayPath]

    /// The identifier of its row.
    public var id: GatewayID { particulars.id }

    /// The fingerprint it answers with, else the one it advertises.
    public var fingerprint: GatewayFingerprint? { particulars.fingerprint }

    /// Its name, at most 64 characters, exactly as told: clean it with `DisplayText` before a person sees it.
    public var name: String { particulars.name }

    /// The services that are present and lead to it, sorted.
    public var services: [ServiceInstance] { particulars.services.map(\.service.instance) }

    /// The same services with all that DNS-SD shows of them, in the same order: what is not needed to reach the gateway, and
    /// what it advertises. Untrusted.
    public var discoveredServices: [DiscoveredService] { particulars.services.map(\.service) }

    /// Its bots: first those it tells of, in its order, then those that are only paired, by id.
    public var bots: [Bot] { particulars.bots }

    /// The number of bots that it tells of and that are not in ``bots``, since there are too many.
    public var botsLeftOut: Int { particulars.botsLeftOut }

    /// The warnings that a user should know of.
    public var flags: Set<GatewayFlag> { particulars.flags }

    /// Indicates whether any of its bots is paired.
    public var isPaired: Bool { particulars.isPaired }

    /// The best liveness of any path that is its own; `nil` while that is not known.
    public var liveness: Liveness? {
        var best: Liveness?
        for path in paths where !path.contradicts {
            guard let liveness = path.liveness else { continue }
            best = min(best ?? liveness, liveness)
        }
        return best
    }

    /// Indicates whether it is suspect since it sends more than anybody has asked for.
    public var isFlooding: Bool {
        liveness == .suspect && paths.contains { !$0.contradicts && $0.isFlooding && $0.liveness == .suspect }
    }

    /// The outcome of probing its first path.
    public var outcome: ProbeOutcome? { paths.first?.outcome }

    /// The dialect it speaks on its first path.
    public var dialect: GatewayDialect? { outcome?.identity?.dialect }

    /// The strength of the proof of what it is.
    public var proof: GatewayProof { paths.first?.proof ?? .unproved }

    /// The time that its first path took to answer.
    public var roundTrip: Duration? { paths.first?.roundTrip }

    /// None, for where a gateway was.
    static let nobody = Gateway(
        particulars: GatewayParticulars(
            id: .candidate(.endpoint(Endpoint(address: .v4(IPv4Address(bits: 0)), port: 0))),
            fingerprint: nil,
            name: "",
            services: [],
            bots: [],
            botsLeftOut: 0,
            flags: [],
            isPaired: false
        ),
        paths: []
    )
}

/// A warning that a user should know of before trusting a gateway.
public enum GatewayFlag: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Another row claims the same fingerprint.
    case sameFingerprint

    /// An endpoint answered as another gateway than what led to it says, or than its other endpoints do.
    case contradicts

    /// It claims to be a paired gateway, and has not proved it where it is now.
    case moved

    public static func < (lhs: GatewayFlag, rhs: GatewayFlag) -> Bool { lhs.rawValue < rhs.rawValue }
}
