internal import DNSSD
internal import HostSystem
internal import SystemPackage

/// The condition of an engine, of which it tells every browse.
struct EngineCondition {
    /// The reason why a port could not be opened, if that is so.
    var trouble: BackendError?

    /// The warnings that were reported to every browse, in order.
    var warnings: [BackendWarning] = []

    /// The losses that have not been reported yet.
    var losses = BackendLosses()
}

extension MulticastDNSEngine {
    /// Returns an error that explains why a port could not be opened.
    static func trouble(with path: ServicePath, _ error: SystemError) -> BackendError {
        switch error.code {
        case .addressInUse:
            BackendError(
                .refused,
                "Port 5353 must be shared by all who speak multicast DNS; a program on this host keeps it to itself. "
                    + "Find it with \"ss -ulpn sport = :5353\" and stop it, or let it share the port."
            )
        default:
            BackendError(.refused, "Multicast DNS needs a socket on \(path), and the system gives none (\(error)).")
        }
    }
}
