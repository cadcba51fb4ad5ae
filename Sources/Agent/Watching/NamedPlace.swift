internal import Constellation
internal import DNSSD
internal import PairedFacts
internal import PairingStore
internal import Scanning

/// A gateway that the settings name, with the places to which the name leads, as far as they are known. A value.
struct NamedPlace: Hashable, Sendable {
    /// The key by which it is watched. It comes from the settings alone: what answers there, and whether anything does, can
    /// be another thing from one run of the agent to the next.
    let key: String

    /// The address as the settings have it.
    let text: String

    /// The places; none while the addresses of a host name are not known.
    var endpoints: Set<Endpoint>

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
