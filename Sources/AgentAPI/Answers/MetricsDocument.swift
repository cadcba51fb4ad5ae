internal import Agent
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// The measurements of an agent, for Prometheus: the metrics of its process, and what it knows now. Only gateways that the
/// user has paired or named, by an alias or in the settings, have a label, which is the alias, our number or the address:
/// everything else has a name from the network, and is summed up.
struct MetricsDocument {
    /// The maximum number of gateways with a label of their own.
    private static let mostGateways = 64

    let text: String

    init(_ agent: Agent, _ registry: MetricsRegistry?) async {
        let snapshot = await agent.constellation.snapshot
        var samples = registry?.samples ?? []
        samples += Self.totals(snapshot)
        samples += agent.parts.map { part in
            MetricSample(
                MetricKey("clawradar_part_up", [("part", part.name)]),
                .gauge,
                part.state.isWorking ? 1 : 0
            )
        }
        samples += await Self.own(agent, snapshot)
        text = MetricSample.text(samples.sorted { ($0.key, $0.suffix) < ($1.key, $1.suffix) })
    }

    /// The gateways by their liveness, and the bots by their state.
    private static func totals(_ snapshot: ConstellationSnapshot) -> [MetricSample] {
        let gateways = Dictionary(grouping: snapshot.gateways) { $0.liveness }
        let bots = Dictionary(grouping: snapshot.gateways.flatMap(\.bots), by: \.state)
        return Liveness.allCases.map { liveness in
            MetricSample(
                MetricKey("clawradar_gateways", [("liveness", liveness.rawValue)]),
                .gauge,
                Double(gateways[liveness]?.count ?? 0)
            )
        }
            + BotState.allCases.map { state in
                MetricSample(
                    MetricKey("clawradar_bots", [("state", state.rawValue)]),
                    .gauge,
                    Double(bots[state]?.count ?? 0)
                )
            }
    }

    /// The gateways that the user has paired or named: whether each answers, how long it has not, and how often it was away.
    private static func own(_ agent: Agent, _ snapshot: ConstellationSnapshot) async -> [MetricSample] {
        let pairings = (try? await agent.radar.pairings()) ?? []
        let paired = PairedGateways(of: pairings)
        let aliases = (try? await agent.radar.aliases()) ?? []
        let remembered = await agent.watchedGateways
        let names = Set(aliases.map(\.name))
        let rows = Dictionary(
            uniqueKeysWithValues: pairings.compactMap { pairing in
                paired.row(of: pairing.id).map { (pairing.id, $0) }
            }
        )
        let all = MeasuredGateway.all(
            // What nobody has trusted yet is asked for nothing: it is neither up nor down.
            pairings.filter { !$0.awaitsTrust }.sorted { $0.id < $1.id },
            rows: rows,
            named: agent.namedGateways(in: snapshot, besides: paired, remembered: remembered ?? [:]),
            given: (remembered ?? [:]).compactMapValues { $0.alias.flatMap { names.contains($0) ? $0 : nil } },
            GatewayLabels(pairings, aliases),
            in: snapshot.gateways,
            heard: agent.constellation.answerTimes.all
        )
        return all.prefix(mostGateways).flatMap { $0.samples(remembered, at: .now, .now) }
    }
}
