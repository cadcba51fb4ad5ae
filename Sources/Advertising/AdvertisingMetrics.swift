internal import CoreMetrics
internal import DNSSD

/// The counters of a ``GatewayAdvertiser``, created once.
struct AdvertisingMetrics: Sendable {
    private let publications = Counter(label: "clawradar_publications_total")
    private let conflicts = Counter(label: "clawradar_publication_conflicts_total")
    private let withheld = Counter(label: "clawradar_publications_withheld_total")

    /// Counts a change of state.
    func note(_ state: AdvertisingState) {
        switch state {
        case .advertising(_, _, .published): publications.increment()
        case .advertising(_, _, .renamed): conflicts.increment()
        case .withheld: withheld.increment()
        case .asking, .advertising, .ended, .failed: break
        }
    }
}
