/// The rule by which the silence of gateways is this host's own: the gateways of one link fall silent at once, and packets to
/// them leave by another link, or the neighbours there are silent as well. A value.
package struct SilentLinks: Sendable {
    /// The way by which packets to a gateway leave this host.
    package struct Place: Hashable, Sendable {
        /// The name of the interface.
        package let link: String

        /// Indicates whether the gateway is in a network of that interface.
        package let isOnLink: Bool
    }

    /// The answers of the router and of other neighbours of a link, as far as they have answered before.
    package enum Neighbours: Hashable, Sendable {
        case answering
        case silent
        /// They are asked for the first time in this silence of the gateways.
        case asked
        /// None has ever answered, so that their silence says nothing.
        case unknown
    }

    /// A gateway that has answered on a link.
    private struct Seen: Hashable, Sendable {
        var place: Place
        var silentSince: ContinuousClock.Instant?
    }

    /// The longest time between the first and the last gateway of a link that falls silent with it.
    private static let fallInterval = Duration.seconds(10)

    private var seen: [String: Seen] = [:]

    /// The links whose gateways are silent because of this host, with the reasons.
    private var reasons: [String: String] = [:]

    package init() {}

    /// The links of gateways that have answered, whose neighbours are to be known.
    var links: Set<String> { Set(seen.values.map(\.place.link)) }

    /// The links of which no gateway answers, whose neighbours are to be asked now.
    var silentLinks: Set<String> {
        links.subtracting(seen.values.filter { $0.silentSince == nil }.map(\.place.link))
    }

    /// Returns the facts, without a network for those that are silent because of this host.
    ///
    /// - Parameters:
    ///   - facts: The facts of all watched gateways.
    ///   - places: The ways to them, by their keys.
    ///   - now: The time.
    ///   - neighbours: Returns the neighbours of links, of which it asks those that are due. It is called once the facts are
    ///     noted: nothing else may change for minutes after the first answer on a link.
    package mutating func judge(
        _ facts: [GatewayFacts],
        places: [String: Place],
        at now: ContinuousClock.Instant,
        neighbours: (_ links: Set<String>, _ silent: Set<String>) -> [String: Neighbours]
    ) -> [GatewayFacts] {
        let keys = Set(facts.map(\.subject.key))
        seen = seen.filter { keys.contains($0.key) }
        for fact in facts { note(fact, places[fact.subject.key], at: now) }
        let neighbours = neighbours(links, silentLinks)
        let byLink = Dictionary(grouping: seen.keys) { seen[$0]?.place.link ?? "" }
        var troubles: [String: String] = [:]
        var awaited: Set<String> = []
        for (link, keys) in byLink {
            let fallen = fallenTogether(keys)
            reasons[link] = reason(link, fallen, places, neighbours[link] ?? .unknown)
            for key in fallen { troubles[key] = reasons[link] }
            if neighbours[link] == .asked { awaited.formUnion(fallen) }
        }
        reasons = reasons.filter { byLink[$0.key] != nil }
        return facts.map { fact in
            var fact = fact
            // For the second or two in which a router may answer, nobody knows whose fault it is.
            fact.awaitsNeighbours = awaited.contains(fact.subject.key)
            if fact.awaitsNeighbours, fact.presence == .gone { fact.presence = .silent }
            guard let trouble = troubles[fact.subject.key] else { return fact }
            fact.hasNetwork = false
            fact.networkTrouble = trouble
            return fact
        }
    }

    private mutating func note(_ fact: GatewayFacts, _ place: Place?, at now: ContinuousClock.Instant) {
        let key = fact.subject.key
        if fact.presence == .answering {
            // Where it is reached through another network, its neighbours say nothing of it.
            seen[key] = place.flatMap { $0.isOnLink ? Seen(place: $0) : nil }
        } else if seen[key]?.silentSince == nil {
            seen[key]?.silentSince = now
        }
    }

    /// Returns those of the gateways of a link that fell silent last; none if one of them answers. One that was silent long
    /// before is dead.
    private func fallenTogether(_ keys: [String]) -> [String] {
        let times = keys.compactMap { seen[$0]?.silentSince }
        guard times.count == keys.count, let last = times.max() else { return [] }
        return keys.filter { seen[$0]?.silentSince.map { last - $0 <= Self.fallInterval } == true }
    }

    private func reason(
        _ link: String,
        _ keys: [String],
        _ places: [String: Place],
        _ neighbours: Neighbours
    ) -> String? {
        guard !keys.isEmpty else { return nil }
        // The network is there, and packets to them go elsewhere: a VPN has taken its routes.
        let others = Set(keys.compactMap { places[$0] })
        if !others.isEmpty, others.allSatisfy({ $0.link != link && !$0.isOnLink }) {
            let names = others.map(\.link).sorted().joined(separator: ", ")
            return "packets to what is on \(link) leave by \(names) instead"
        }
        switch neighbours {
        case .answering: return nil
        case .silent: return "nothing else on \(link) answers either: a firewall or a VPN of this host, or its cable"
        case .unknown, .asked: return reasons[link]
        }
    }
}
