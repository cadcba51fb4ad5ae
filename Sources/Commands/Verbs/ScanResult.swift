internal import DNSSD
internal import Reports
internal import Scanning

/// The result of one scan for services.
struct ScanResult: Sendable {
    let services: [DiscoveredService]

    /// The status of the backend at the end.
    let status: BackendStatus
    let source: SightingSource
    let warnings: [String]
    var losses = BackendLosses()
    let elapsed: Duration

    /// The scan in JSON, with the error beside the warnings.
    var report: ServiceScanReport {
        ServiceScanReport(
            services: services,
            source: source,
            elapsed: elapsed,
            losses: losses,
            warnings: warnings + [trouble?.message].compactMap(\.self)
        )
    }

    /// The error that kept the backend from working at the end; `nil` when it could work.
    var trouble: BackendError? {
        if case .unavailable(let error) = status { error } else { nil }
    }

    /// Returns the result with more warnings.
    func adding(warnings more: [String]) -> ScanResult {
        ScanResult(
            services: services,
            status: status,
            source: source,
            warnings: warnings + more,
            losses: losses,
            elapsed: elapsed
        )
    }
}

extension ScanResult {
    /// Makes the result from what a scanner has found. Of several backends that took over from each other, the present one
    /// counts.
    init(of found: ConstellationSnapshot, source: SightingSource, elapsed: Duration) {
        let condition = found.backends.first { $0.source == source }
        let domains = found.backends.compactMap { backend -> String? in
            guard backend.source.isOneZone, case .unavailable(let error) = backend.status else { return nil }
            return error.message
        }
        self.init(
            services: found.services,
            status: condition?.status ?? .starting,
            source: source,
            warnings: (condition?.warnings.map(\.message) ?? []) + domains,
            losses: condition?.losses ?? BackendLosses(),
            elapsed: elapsed
        )
    }
}
