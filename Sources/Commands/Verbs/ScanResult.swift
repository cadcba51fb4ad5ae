internal import DNSSD

/// The result of one scan of the network.
struct ScanResult: Sendable {
    let services: [Service]

    /// The status of the backend at the end.
    let status: BackendStatus
    let source: SightingSource
    let warnings: [String]
    var losses = BackendLosses()
    let elapsed: Duration

    var elapsedMilliseconds: Int {
        Int(elapsed.components.seconds) * 1_000 + Int(elapsed.components.attoseconds / 1_000_000_000_000_000)
    }

    /// The error that kept the backend from working at the end; `nil` when it could work.
    var trouble: BackendError? {
        if case .unavailable(let error) = status { error } else { nil }
    }

    /// The same with more to tell.
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
