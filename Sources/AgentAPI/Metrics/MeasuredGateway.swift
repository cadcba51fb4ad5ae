internal import Agent
internal import Constellation
internal import GatewayProtocol
internal import PairingStore

/// A gateway that has a label of its own in the metrics, since the user has paired or named it. A value.
struct MeasuredGateway: Hashable {
    let label: String

    /// Its key in the history.
    let key: String

    let isUp: Bool

    /// Returns the gateways, each with another label: those that are paired, those that the settings name, and those that have
    /// a name from the user alone.
    ///
    /// - Parameters:
    ///   - pairings: What is paired.
    ///   - rows: The rows of all pairings.
    ///   - named: The gateways that the settings name, without those that are paired.
    ///   - given: The names that the user has given to watched gateways, by their keys.
    ///   - gateways: The rows of the map.
    static func all(
        _ pairings: [StoredPairing],
        rows: [PairingID: GatewayID],
        named: [NamedGateway],
        given: [String: String],
        _ labels: GatewayLabels,
        in gateways: [Gateway]
    ) -> [MeasuredGateway] {
        let found = Dictionary(gateways.map { ($0.id, $0) }) { first, _ in first }
        var all = pairings.map { pairing in
            let row = rows[pairing.id].flatMap { found[$0] }
            return MeasuredGateway(label: labels[pairing], key: "\(pairing.id)", isUp: row?.liveness == .answering)
        }
        // Two series with one label would be one.
        var used = Set(all.map(\.label))
        for gateway in named {
            let names = [(gateway.alias ?? given[gateway.key]).flatMap(labels.label), gateway.text]
            guard let label = names.compactMap(\.self).first(where: { used.insert($0).inserted }) else { continue }
            all.append(MeasuredGateway(label: label, key: gateway.key, isUp: gateway.isAnswering))
        }
        // As the map shows them, and what it does not show, as it was watched: the key of a pairing is a number.
        let others = Set(rows.values).union(named.flatMap(\.rows))
        var names = given.filter { key, _ in key.contains(":") && !named.contains { $0.key == key } }
        for row in gateways { names[row.id.description] = row.alias?.name ?? names[row.id.description] }
        for row in others { names[row.description] = nil }
        let states = Dictionary(gateways.map { ($0.id.description, $0.liveness) }) { first, _ in first }
        for (key, alias) in names.sorted(by: { $0.key < $1.key }) {
            guard let label = labels.label(alias), used.insert(label).inserted else { continue }
            all.append(MeasuredGateway(label: label, key: key, isUp: states[key] == .answering))
        }
        return all
    }
}
