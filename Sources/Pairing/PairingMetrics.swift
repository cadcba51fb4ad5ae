internal import CoreMetrics
internal import DNSSD

/// The counters of a ``PairingCoordinator``, made once.
struct PairingMetrics: Sendable {
    private let paired = Self.pairings("paired")
    private let failed: [ErrorCode<PairingError>: Counter] = Dictionary(
        uniqueKeysWithValues: ErrorCode<PairingError>.all.map { ($0, Self.pairings($0.description)) }
    )

    private static func pairings(_ outcome: String) -> Counter {
        Counter(label: "clawradar_pairings_total", dimensions: [("outcome", outcome)])
    }

    /// Counts a pairing that is in the store.
    func notePaired() {
        paired.increment()
    }

    /// Counts a pairing that did not come about.
    func noteFailure(_ code: ErrorCode<PairingError>) {
        failed[code]?.increment()
    }
}
