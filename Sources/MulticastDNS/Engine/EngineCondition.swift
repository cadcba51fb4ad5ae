internal import DNSSD

/// The condition of an engine, of which it tells every browse.
struct EngineCondition {
    /// The reason why a port could not be opened, if that is so.
    var trouble: BackendError?

    /// The warnings that were reported to every browse, in order.
    var warnings: [BackendWarning] = []

    /// The losses that have not been reported yet.
    var losses = BackendLosses()
}
