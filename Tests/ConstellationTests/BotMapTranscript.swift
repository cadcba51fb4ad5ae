import DNSSD
import GatewayProtocol
import TestSupport

@testable import Scanning

/// The transcript of a ``BotMap`` in a sequence of random events: every change that it reports.
struct BotMapTranscript {
    private var map: BotMap
    private(set) var transcript = CourseTranscript()

    /// Plays the sequence of a seed. For one seed in three the limits of the map are so low that they are reached.
    init(seed: UInt64, steps: Int = 400) {
        map = BotMap(
            limits: seed % 3 == 0
                ? BotMapLimits(candidates: 6, candidatesPerEndpoint: 2, remembered: 2, pairings: 3) : BotMapLimits()
        )
        var random = SeededGenerator(seed: seed)
        for step in 0..<steps {
            let changes = map.apply(OrderTests.anyEvent(&random)).map(Self.line)
            transcript.lines.append("\(step) " + changes.joined(separator: "; "))
        }
        transcript.lines += map.gateways.map(Self.line)
    }

    private static func line(_ change: BotMapChange) -> String {
        switch change {
        case .found(let row): "+ \(line(row))"
        // A row that another one has become.
        case .changed(let row, let aspects) where aspects.contains(.identifier): "+ \(line(row))"
        case .changed(let row, let aspects): "~ \(aspects.map(\.rawValue).sorted()) \(line(row))"
        case .lost(let row): "- \(line(row)) into nothing"
        case .joined(let row, let successor): "- \(line(row)) into \(successor)"
        case .problem(let problem): "! \(problem)"
        }
    }

    private static func line(_ row: Gateway) -> String {
        var words = ["\(row.id)", row.name, "\(row.classification)"]
        words += row.flags.sorted().map { "\($0)" }
        words += row.paths.map { path in
            let outcome: String =
                switch path.outcome {
                case .gateway(let identity)?: "\(identity.fingerprint?.description ?? "-")"
                case .nothing(let reason)?: "\(reason)"
                case .somethingElse(let answer)?: answer.summary
                case nil: "not asked"
                }
            return
                "[\(path.endpoint) \(path.reach) \(path.isManual) \(outcome) \(path.liveness.map { "\($0)" } ?? "-") "
                + "\(path.isFlooding) \(path.contradicts) \(path.proof) \(path.waiting.map { "\($0)" } ?? "-") "
                + "\(path.roundTrip.map { "\($0 / .milliseconds(1))" } ?? "-")]"
        }
        words += row.services.map(\.description)
        words += row.bots.map { "\($0.id.gateway)/\($0.id.bot) \($0.name) \($0.state) \($0.isPaired)" }
        return words.joined(separator: " ")
    }
}
