package import DNSSD

/// The condition of a backend that finds services, or of several that act as one.
package struct BackendCondition: Hashable, Sendable {
    /// The backend.
    package let source: SightingSource

    /// Its status.
    package let status: BackendStatus

    /// The warnings that the user should know of, in the order in which they came up.
    package let warnings: [BackendWarning]

    /// The losses so far. A loss alone is not reported: the count is that of the last report.
    package let losses: BackendLosses

    /// Creates a condition; by default without warnings and losses.
    package init(
        source: SightingSource,
        status: BackendStatus,
        warnings: [BackendWarning] = [],
        losses: BackendLosses = BackendLosses()
    ) {
        self.source = source
        self.status = status
        self.warnings = warnings
        self.losses = losses
    }
}
