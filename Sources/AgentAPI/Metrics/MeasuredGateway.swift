internal import Agent
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// A gateway that has a label of its own in the metrics, since the user has paired or named it. A value.
struct MeasuredGateway: Hashable {
    let label: String

    /// Its key in the history.
    let key: String

    let liveness: Liveness?

    /// The time of its last answer; `nil` if that is not known.
    let heard: ContinuousClock.Instant?

    /// Returns the gateways, each with another label: those that are paired, those that the settings name, and those that have
    /// a name from the user alone.
    ///
    /// - Parameters:
    ///   - pairings: What is paired.
    ///   - rows: The rows of all pairings.
    ///   - named: The gateways that the settings name, without those that are paired.
    ///   - given: The names that the user has given to watched gateways, by their keys.
    ///   - gateways: The rows of the map.
    ///   - heard: The times of the last answers of endpoints.
    static func all(
        _ pairings: [StoredPairing],
        rows: [PairingID: GatewayID],
        named: [NamedGateway],
        given: [String: String],
        _ labels: GatewayLabels,
        in gateways: [Gateway],
        heard: [Endpoint: ContinuousClock.Instant]
    ) -> [MeasuredGateway] {
        let found = Dictionary(gateways.map { ($0.id, $0) }) { first, _ in first }
        func measured(_ label: String, _ key: String, _ liveness: Liveness?, _ rows: [Gateway]) -> MeasuredGateway {
            let places = rows.flatMap { $0.paths.filter(\.counts).map(\.endpoint) }
            return MeasuredGateway(
                label: label,
                key: key,
                liveness: liveness,
                heard: places.compactMap { heard[$0] }.max()
            )
        }
        var all = pairings.map { pairing in
            let row = rows[pairing.id].flatMap { found[$0] }
            return measured(labels[pairing], "\(pairing.id)", row?.liveness, row.map { [$0] } ?? [])
        }
        // Two series with one label would be one.
        var used = Set(all.map(\.label))
        for gateway in named {
            let names = [(gateway.alias ?? given[gateway.key]).flatMap(labels.label), gateway.text]
            guard let label = names.compactMap(\.self).first(where: { used.insert($0).inserted }) else { continue }
            all.append(measured(label, gateway.key, gateway.liveness, gateway.rows.compactMap { found[$0] }))
        }
        // As the map shows them, and what it does not show, as it was watched: the key of a pairing is a number.
        let others = Set(rows.values).union(named.flatMap(\.rows))
        var names = given.filter { key, _ in key.contains(":") && !named.contains { $0.key == key } }
        for row in gateways { names[row.id.description] = row.alias?.name ?? names[row.id.description] }
        for row in others { names[row.description] = nil }
        let shown = Dictionary(gateways.map { ($0.id.description, $0) }) { first, _ in first }
        for (key, alias) in names.sorted(by: { $0.key < $1.key }) {
            guard let label = labels.label(alias), used.insert(label).inserted else { continue }
            all.append(measured(label, key, shown[key]?.liveness, shown[key].map { [$0] } ?? []))
        }
        return all
    }

    /// Returns its numbers.
    ///
    /// - Parameter remembered: What is remembered of the watched gateways; `nil` while that is not known.
    func samples(
        _ remembered: [String: GatewayMemory]?,
        at now: ContinuousClock.Instant,
        _ time: Timestamp
    ) -> [MetricSample] {
        let labels = [("gateway", label)]
        let outage = remembered?[key]?.outage
        // As every view has it: the history, which begins an outage of its own accord, is no judge of that.
        let isUp = liveness?.isAlive == true
        var samples = [MetricSample(MetricKey("clawradar_gateway_up", labels), .gauge, isUp ? 1 : 0)]
        guard let remembered else { return samples }
        let total = MetricKey("clawradar_gateway_outages_total", labels)
        samples.append(MetricSample(total, .counter, Double(remembered[key]?.allOutages ?? 0)))
        let sinceHeard = heard.map { max(0, Double(($0.duration(to: now)) / .milliseconds(1)) / 1_000) }
        let sinceOutage = outage.map { max(0, Double(time.milliseconds - $0.milliseconds) / 1_000) }
        // Of one that was never seen to answer, nobody knows.
        let silence: Double? =
            switch liveness {
            case .answering: 0
            case .suspect: sinceHeard ?? sinceOutage
            case .gone, nil: sinceOutage
            }
        if let silence {
            samples.append(MetricSample(MetricKey("clawradar_gateway_seconds_since_answer", labels), .gauge, silence))
        }
        return samples
    }
}
