internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Scanning

/// A gateway that the settings name, with the places to which the name leads, as far as they are known. A value.
struct NamedPlace: Hashable, Sendable {
    /// The key by which it is watched. It comes from the settings alone: what answers there, and whether anything does, can
    /// be another thing from one run of the agent to the next.
    private(set) var key: String

    /// The address as the settings have it.
    let text: String

    /// The places; none while the addresses of a host name are not known.
    var endpoints: Set<Endpoint>

    /// The host at one of whose usual ports it may be, if the settings name that without a port; `nil` for a place with one.
    private(set) var soughtHost: String?

    /// - Parameter found: The places to which a host name leads.
    init(_ address: ProbeAddress, _ found: Set<Endpoint> = []) {
        text = address.resource == "/" ? "\(address)" : "\(address)\(address.resource)"
        if let literal = IPAddress(address.host) {
            let endpoint = address.endpoint(at: literal)
            key = "endpoint:\(endpoint)"
            endpoints = found.union([endpoint])
        } else {
            key = "endpoint:\(text.lowercased())"
            endpoints = found
        }
    }
}

extension NamedPlace {
    /// Returns the places of an address: of a host without a port, the host itself, and each of the usual ports.
    static func all(_ address: ProbeAddress, _ found: Set<Endpoint> = []) -> [NamedPlace] {
        guard !address.hasPort else { return [NamedPlace(address, found)] }
        let atPorts = address.places.map { at in
            var place = NamedPlace(at, found.filter { $0.port == at.port })
            place.soughtHost = address.description
            return place
        }
        var host = NamedPlace(address, atPorts.reduce(into: found) { $0.formUnion($1.endpoints) })
        host.key = "endpoint:\(address.description.lowercased())"
        return [host] + atPorts
    }

    /// Returns the places without the usual ports at which no gateway has ever answered, and without the hosts that have
    /// another port.
    ///
    /// - Parameter holders: Who has answered before, by the keys of the places.
    static func present(_ places: [NamedPlace], in rows: [Gateway], _ holders: [String: Occupant]) -> [NamedPlace] {
        guard places.contains(where: { $0.soughtHost != nil }) else { return places }
        let answered = Set(rows.flatMap(\.paths).filter { $0.outcome?.identity != nil }.map(\.endpoint))
        let found = places.filter { place in
            place.soughtHost == nil || holders[place.key] != nil || !answered.isDisjoint(with: place.endpoints)
        }
        let hosts = Set(found.compactMap(\.soughtHost))
        return found.filter { !hosts.contains($0.text) }
    }

    /// Returns the places, each once, without those of paired gateways, which are shown and watched as what is paired.
    ///
    /// A place that a record leads into the row of a paired gateway is not its own before that has answered there.
    static func unpaired(_ places: [NamedPlace], in rows: [Gateway], _ paired: PairedGateways) -> [NamedPlace] {
        let ids = Set(paired.pairings.keys.compactMap(paired.row(of:)))
        let pairedPlaces = Set(rows.filter { ids.contains($0.id) }.flatMap(\.answeredPlaces))
            .union(paired.pairings.values.flatMap(\.endpoints))
        var keys: Set<String> = []
        return places.filter { pairedPlaces.isDisjoint(with: $0.endpoints) && keys.insert($0.key).inserted }
    }
}
