package import Constellation
internal import DNSSD
internal import GatewayProtocol

/// A gateway that the settings name by its address, as the map shows it.
package struct NamedGateway: Hashable, Sendable {
    /// The address as the settings have it.
    package let text: String

    /// Its key in the history.
    package let key: String

    /// The best liveness of a gateway there; `nil` if none has answered, or that is not known.
    package let liveness: Liveness?

    /// The rows of gateways to whose places the address leads, and the name that the user has given to one of them.
    package let rows: Set<GatewayID>
    package let alias: String?

    /// Returns the gateways of named places, each once, without those that are paired.
    ///
    /// - Parameters:
    ///   - rows: The rows of the map.
    ///   - paired: The rows of paired gateways.
    static func all(
        _ places: [NamedPlace],
        in rows: [Gateway],
        besides paired: Set<GatewayID>
    ) -> [NamedGateway] {
        let pairedPlaces = Set(rows.filter { paired.contains($0.id) }.flatMap(\.ownPlaces))
        var keys: Set<String> = []
        return places.filter { pairedPlaces.isDisjoint(with: $0.endpoints) && keys.insert($0.key).inserted }.map {
            place in
            let found = rows.filter { row in row.ownPlaces.contains(where: place.endpoints.contains) }
            return NamedGateway(
                text: place.text,
                key: place.key,
                liveness: found.filter(\.hasAnsweredAsGateway).compactMap(\.liveness).min(),
                rows: Set(found.map(\.id)),
                alias: found.lazy.compactMap(\.alias).first?.name
            )
        }
    }
}

extension Agent {
    /// Returns the gateways that the settings name, without those that are paired.
    ///
    /// - Parameter paired: The rows of paired gateways.
    package func namedGateways(
        in snapshot: ConstellationSnapshot,
        besides paired: Set<GatewayID>
    ) -> [NamedGateway] {
        NamedGateway.all(noticesPart.namedPlaces, in: snapshot.gateways, besides: paired)
    }
}
