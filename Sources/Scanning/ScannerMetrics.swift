internal import CoreMetrics
internal import GatewayClient
internal import GatewayProtocol

/// The counters of a ``GatewayScanner``, made once.
struct ScannerMetrics: Sendable {
    private let dialects: [GatewayDialect: Counter] = Dictionary(
        uniqueKeysWithValues: GatewayDialect.allCases.map { ($0, Self.probes($0.rawValue)) }
    )
    private let others = Self.probes("other")
    private let nothing = Self.probes("no_answer")
    private let duration = Timer(label: "clawradar_probe_duration_seconds", preferredDisplayUnit: .seconds)

    private let answered = Self.checks("answered")
    private let different = Self.checks("different")
    private let silent = Self.checks("silent")
    private let closed = Self.checks("closed")
    private let refused = Self.checks("refused")
    private let unreachable = Self.checks("unreachable")
    private let flooded = Self.checks("flooded")
    private let noSocket = Self.checks("no_socket")
    private let roundTrip = Timer(label: "clawradar_check_round_trip_seconds", preferredDisplayUnit: .seconds)

    private static func probes(_ outcome: String) -> Counter {
        Counter(label: "clawradar_probes_total", dimensions: [("outcome", outcome)])
    }

    private static func checks(_ result: String) -> Counter {
        Counter(label: "clawradar_checks_total", dimensions: [("result", result)])
    }

    /// Counts a probe that has ended.
    func note(_ report: GatewayProbeReport) {
        duration.recordSeconds(report.elapsed / .seconds(1))
        if let dialect = report.verdict.dialect {
            dialects[dialect]?.increment()
        } else if case .other = report.verdict {
            others.increment()
        } else {
            nothing.increment()
        }
    }

    /// Counts a check that has been answered.
    func noteAnswer(_ roundTrip: Duration) {
        answered.increment()
        self.roundTrip.recordSeconds(roundTrip / .seconds(1))
    }

    /// Counts a check that has ended.
    func note(_ result: LivenessCheckResult) {
        switch result {
        case .answered(let time, _): noteAnswer(time)
        case .different: different.increment()
        case .silent: silent.increment()
        case .closed: closed.increment()
        case .refused: refused.increment()
        case .unreachable: unreachable.increment()
        case .flooded: flooded.increment()
        case .noSocket: noSocket.increment()
        }
    }

    /// Counts the end of a held connection as a failed check, unless the connection was released.
    func note(_ end: HeldConnectionEnd) {
        switch end {
        case .letGo: break
        case .notOpened(let result): note(result)
        case .closed: closed.increment()
        case .flooded: flooded.increment()
        case .different: different.increment()
        case .silent: silent.increment()
        }
    }
}
