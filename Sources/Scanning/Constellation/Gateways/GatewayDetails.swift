internal import DNSSD
internal import GatewayProtocol

/// A service that leads to a gateway, as it was last seen. A class, so that the map and every copy of the row share it.
final class AdvertisedService: Sendable {
    let service: DiscoveredService

    init(_ service: DiscoveredService) {
        self.service = service
    }

    /// Returns `services` if different services lead there than before, `records` if only their contents differ.
    static func differences(of services: [AdvertisedService], from earlier: [AdvertisedService]) -> GatewayAspects {
        guard services.count == earlier.count else { return .services }
        var aspects: GatewayAspects = []
        for (new, old) in zip(services, earlier) where new !== old {
            if new.service.instance != old.service.instance { return .services }
            if new.service != old.service { aspects = .records }
        }
        return aspects
    }
}

/// Everything about a gateway except its paths. It seldom changes, while round-trip times change all the time.
///
/// A class, so that copying a gateway costs two references, however large it is.
final class GatewayDetails: Hashable, Sendable {
    /// The details that few gateways have: the rows of a flood take eight bytes for them.
    private struct Rarities: Hashable {
        var botsLeftOut = 0
        var foundLeaf: LeafFingerprint?
        var otherPlaces: [Endpoint: PathVerdict] = [:]
        var alias: GatewayAlias?
        var otherNames: [String] = []
    }

    let id: GatewayID

    // Beside the identifier, which leaves room for it.
    let isPaired: Bool
    let fingerprint: GatewayFingerprint?
    let name: String
    let services: [AdvertisedService]
    let bots: [Bot]
    let flags: Set<GatewayFlag>
    private let rarities: Boxed<Rarities>?

    var botsLeftOut: Int { rarities?.value.botsLeftOut ?? 0 }

    /// The certificate that is shown where a paired gateway was, if it is another than the pinned one.
    var foundLeaf: LeafFingerprint? { rarities?.value.foundLeaf }

    /// The verdicts on other ports and paths: see ``Gateway/otherPlaces``.
    var otherPlaces: [Endpoint: PathVerdict] { rarities?.value.otherPlaces ?? [:] }

    /// The name that the user has given it; `nil` if ``name`` is its own.
    var alias: GatewayAlias? { rarities?.value.alias }

    /// The names by which it is known besides ``name``.
    var otherNames: [String] { rarities?.value.otherNames ?? [] }

    init(
        id: GatewayID,
        fingerprint: GatewayFingerprint?,
        name: String,
        services: [AdvertisedService],
        bots: [Bot],
        botsLeftOut: Int,
        flags: Set<GatewayFlag>,
        isPaired: Bool,
        foundLeaf: LeafFingerprint? = nil,
        otherPlaces: [Endpoint: PathVerdict] = [:],
        alias: GatewayAlias? = nil,
        otherNames: [String] = []
    ) {
        self.id = id
        self.fingerprint = fingerprint
        self.name = name
        self.services = services
        self.bots = bots
        self.flags = flags
        self.isPaired = isPaired
        let rarities = Rarities(
            botsLeftOut: botsLeftOut,
            foundLeaf: foundLeaf,
            otherPlaces: otherPlaces,
            alias: alias,
            otherNames: otherNames
        )
        self.rarities = rarities == Rarities() ? nil : Boxed(rarities)
    }

    /// The same under a name that the user has given it.
    func named(_ alias: GatewayAlias) -> GatewayDetails {
        GatewayDetails(
            id: id,
            fingerprint: fingerprint,
            name: BotMapLimits.capped(alias.name),
            services: services,
            bots: bots,
            botsLeftOut: botsLeftOut,
            flags: flags,
            isPaired: isPaired,
            foundLeaf: foundLeaf,
            otherPlaces: otherPlaces,
            alias: alias,
            otherNames: otherNames + [name]
        )
    }

    static func == (lhs: GatewayDetails, rhs: GatewayDetails) -> Bool {
        lhs === rhs || lhs.id == rhs.id && lhs.aspects(changedSince: rhs).isEmpty
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }

    /// Returns the aspects in which it differs from an earlier version.
    func aspects(changedSince earlier: GatewayDetails) -> GatewayAspects {
        var aspects: GatewayAspects = []
        if self === earlier { return aspects }
        if name != earlier.name || alias != earlier.alias { aspects.insert(.name) }
        if fingerprint != earlier.fingerprint { aspects.insert(.fingerprint) }
        aspects.formUnion(AdvertisedService.differences(of: services, from: earlier.services))
        if bots != earlier.bots || botsLeftOut != earlier.botsLeftOut || isPaired != earlier.isPaired {
            aspects.insert(.bots)
        }
        if flags != earlier.flags || foundLeaf != earlier.foundLeaf { aspects.insert(.flags) }
        // Nothing that is shown; they change with the name, too.
        if otherNames != earlier.otherNames, !aspects.contains(.name) { aspects.insert(.records) }
        // They follow from what was found in place of the gateway.
        if otherPlaces != earlier.otherPlaces { aspects.insert(.liveness) }
        return aspects
    }
}
