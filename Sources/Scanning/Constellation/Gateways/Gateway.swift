public import DNSSD
public import GatewayProtocol

/// One gateway, however many services, service types and paths lead to it: a row of the map.
///
/// Everything in it but its pairings comes from the network and is untrusted.
public struct Gateway: Hashable, Sendable {
    /// Everything about it except its paths.
    let particulars: GatewayDetails

    /// Its endpoints, in the order in which to try them. Empty for a paired gateway that is not present.
    public internal(set) var paths: [GatewayPath]

    /// The identifier of its row.
    public var id: GatewayID { particulars.id }

    /// The fingerprint it answers with, else the one it advertises.
    public var fingerprint: GatewayFingerprint? { particulars.fingerprint }

    /// Its name, at most 64 characters: the one that the user has given it, else the one of its pairing, else its own, else its
    /// address. It is exactly as received: clean it with `DisplayText` before a person sees it.
    public var name: String { particulars.name }

    /// The names besides ``name`` by which it is known: its own, and that of its pairing. Untrusted.
    package var otherNames: [String] { particulars.otherNames }

    /// The services that are present and lead to it, sorted.
    public var services: [ServiceInstance] { particulars.services.map(\.service.instance) }

    /// The same services, in the same order, with everything that DNS-SD shows of them: what the gateway advertises,
    /// and details that are not needed to reach it. Untrusted.
    public var discoveredServices: [DiscoveredService] { particulars.services.map(\.service) }

    /// Its bots: first those it reports, in its order, then those known only from pairing, sorted by identifier.
    public var bots: [Bot] { particulars.bots }

    /// The number of bots that it reports but that are left out of ``bots``, since there are too many.
    public var botsLeftOut: Int { particulars.botsLeftOut }

    /// The warnings that a user should know of.
    public var flags: Set<GatewayFlag> { particulars.flags }

    /// Indicates whether any of its bots is paired.
    public var isPaired: Bool { particulars.isPaired }

    /// The certificate that is shown where it was, if it is paired and that is another than the pinned one:
    /// ``GatewayFlag/changedLeaf``.
    package var foundLeaf: LeafFingerprint? { particulars.foundLeaf }

    /// The name that the user has given it, as long as its ``name`` is that; `nil` if it has none, or another row may be what the
    /// user has named.
    package var alias: GatewayAlias? { particulars.alias }

    /// The verdicts on other places that show its certificate, if it is paired and only that tells it from others, whichever
    /// rows they are in. Other ports and paths are left out if they are never its own.
    package var otherPlaces: [Endpoint: PathVerdict] { particulars.otherPlaces }

    /// The best liveness of its paths, not counting those that contradict the row, and those that say nothing of whether the
    /// gateway is there (see ``GatewayPath/isHearsay``); `nil` while that is not known.
    public var liveness: Liveness? { Liveness.best(paths.lazy.filter(\.counts).map(\.liveness)) }

    /// Indicates whether whoever answers for it says nothing of whether it is there.
    var isHearsay: Bool {
        let answered = paths.filter { $0.outcome?.identity != nil && !$0.contradicts }
        return !answered.isEmpty && answered.allSatisfy(\.isHearsay)
    }

    /// Indicates whether it is suspect because it floods: see ``GatewayPath/isFlooding``.
    public var isFlooding: Bool {
        liveness == .suspect && paths.contains { $0.counts && $0.isFlooding && $0.liveness == .suspect }
    }

    /// The readiness that it reports: on the path that leads, or on another one where its identity is proved; `nil` while
    /// that is not known.
    package var readiness: Readiness? {
        paths.lazy.filter { ($0.leads || $0.proof.isConclusive) && $0.counts && $0.liveness?.isAlive == true }
            .compactMap(\.readiness).first
    }

    /// Indicates whether a gateway has answered on any of its paths.
    var hasAnswered: Bool { paths.contains { $0.outcome?.identity != nil } }

    /// The outcome of probing its first path.
    package var outcome: ProbeOutcome? { paths.first?.outcome }

    /// The dialect it speaks on its first path.
    public var dialect: GatewayDialect? { outcome?.identity?.dialect }

    /// The strength of the proof of its identity, on its first path.
    package var proof: GatewayProof { paths.first?.proof ?? .unproved }

    /// The time that its first path took to answer.
    public var roundTrip: Duration? { paths.first?.currentRoundTrip }

    /// A placeholder in rows that are not shown.
    static let nobody = Gateway(
        particulars: GatewayDetails(
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
@nonexhaustive
public enum GatewayFlag: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Another row claims the same fingerprint.
    case sameFingerprint

    /// An endpoint answered as a gateway other than the one that its service advertises, or than the row's other
    /// endpoints; or without TLS, where the row's gateway has shown a certificate before.
    case contradicts

    /// It is paired without TLS, and answers at another place than that of the pairing, which proves nothing, and may have
    /// its tokens there: see ``GatewayPath/isElsewhere``. Another address of the same machine is no such place.
    case elsewhere

    /// It is paired, and shows another certificate where it was last; no path shows the one of the pairing.
    case changedLeaf = "changed-certificate"

    /// It claims to be a paired gateway, and is not as it was at pairing: it has not proved that it is that gateway, or
    /// another gateway answers in its place.
    case moved

    /// Reads a flag, also as older versions wrote it.
    public init?(rawValue: String) {
        guard let flag = Self.read(rawValue) else { return nil }
        self = flag
    }

    /// Orders the flags alphabetically, by their raw values.
    public static func < (lhs: GatewayFlag, rhs: GatewayFlag) -> Bool { lhs.rawValue < rhs.rawValue }
}
