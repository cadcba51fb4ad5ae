internal import DNSSD

/// What one look at the network gave.
struct ScanResult: Sendable {
    let services: [Service]

    /// How the backend was in the end.
    let status: BackendStatus
    let source: SightingSource
    let warnings: [String]
    var losses = BackendLosses()
    let elapsed: Duration

    var elapsedMilliseconds: Int {
        Int(elapsed.components.seconds) * 1_000 + Int(elapsed.components.attoseconds / 1_000_000_000_000_000)
    }

    /// Why the backend could not work at the end; `nil` when it could.
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
