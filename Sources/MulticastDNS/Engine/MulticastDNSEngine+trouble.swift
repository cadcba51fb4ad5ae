internal import DNSSD
internal import HostSystem
internal import SystemPackage

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
