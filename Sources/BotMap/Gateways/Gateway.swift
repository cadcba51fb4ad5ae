public import DNSSD
public import GatewayProtocol

/// One gateway, however many services, types and paths lead to it. A row of the map.
///
/// Everything in it but its pairings comes from the network and is untrusted.
public struct Gateway: Hashable, Sendable {
    /// Which row it is.
    public let id: GatewayID

    /// The fingerprint it answers with, else the one it advertises.
    public let fingerprint: GatewayFingerprint?

    /// Its name, at most 64 characters, exactly as told: clean it with `DisplayText` before a person sees it.
    public let name: String

    /// Its endpoints, the one to try first in front. Empty for a paired gateway that is not here.
    public let paths: [GatewayPath]

    /// The services that are present and lead to it, sorted.
    public let services: [ServiceInstance]

    /// Its bots: first those it tells of, in its order, then those that are only paired, by id.
    public let bots: [Bot]

    /// How many of the bots it tells of are not in ``bots``, since there are too many.
    public let botsLeftOut: Int

    /// What a user should know.
    public let flags: Set<GatewayFlag>

    /// Whether any of its bots is paired.
    public let isPaired: Bool

    /// Whether it answers on any path that is its own; `nil` while that is not known.
    public var liveness: Liveness? {
        var best: Liveness?
        for path in paths where !path.contradicts {
            guard let liveness = path.liveness else { continue }
            best = min(best ?? liveness, liveness)
        }
        return best
    }

    /// What came of probing its first path.
    public var outcome: ProbeOutcome? { paths.first?.outcome }

    /// The dialect it speaks on its first path.
    public var dialect: GatewayDialect? { outcome?.identity?.dialect }

    /// How well it is proved.
    public var proof: GatewayProof { paths.first?.proof ?? .unproved }

    /// How long its first path took to answer.
    public var roundTrip: Duration? { paths.first?.roundTrip }
}
