internal import GatewayProtocol
package import Pairing
package import Scanning

/// A gateway that the settings name by its address, as the map shows it.
package struct NamedGateway: Hashable, Sendable {
    /// The address as the settings have it.
    package let text: String

    /// Its key in the history.
    package let key: String

    /// The liveness of the gateway there; `nil` if none has answered, or that is not known. Another one in its place is gone.
    package let liveness: Liveness?

    /// The rows of gateways to whose places the address leads, and the name that the user has given to one of them.
    package let rows: Set<GatewayID>
    package let alias: String?

    /// Returns the gateways of named places, each once, without those that are paired.
    ///
    /// - Parameters:
    ///   - rows: The rows of the map.
    ///   - paired: What is paired.
    ///   - holders: Who has answered there before, by their keys.
    static func all(
        _ places: [NamedPlace],
        in rows: [Gateway],
        besides paired: PairedGateways,
        holders: [String: Occupant] = [:]
    ) -> [NamedGateway] {
        NamedPlace.unpaired(NamedPlace.present(places, in: rows, holders), in: rows, paired).map { place in
            let answer = place.answer(in: rows, after: holders[place.key])
            return NamedGateway(
                text: place.text,
                key: place.key,
                liveness: answer.path?.outcome?.identity == nil ? nil : answer.liveness,
                rows: Set(answer.rows.map(\.id)),
                alias: answer.rows.lazy.compactMap(\.alias).first?.name
            )
        }
    }
}

extension Agent {
    /// Returns the gateways that the settings name, without those that are paired.
    ///
    /// - Parameters:
    ///   - paired: What is paired.
    ///   - remembered: What is remembered of watched gateways, by their keys.
    package func namedGateways(
        in snapshot: ConstellationSnapshot,
        besides paired: PairedGateways,
        remembered: [String: GatewayMemory]
    ) -> [NamedGateway] {
        NamedGateway.all(
            noticesPart.namedPlaces,
            in: snapshot.gateways,
            besides: paired,
            holders: remembered.compactMapValues(\.holder)
        )
    }
}
