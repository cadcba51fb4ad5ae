internal import DNSSD
internal import HostSystem

extension BackendError {
    /// The error to report when avahi-daemon is not running.
    static let noDaemon = BackendError(
        .noDaemon,
        "avahi-daemon is not running. Start it (systemctl start avahi-daemon), or install the package avahi-daemon."
    )

    /// The error to report when avahi-daemon is running and does not answer.
    static let daemonNotAnswering = BackendError(
        .daemonNotAnswering,
        "avahi-daemon is running and does not answer. Look at its state and log, or restart it "
            + "(systemctl restart avahi-daemon)."
    )

    /// Makes the error to report when the system has no descriptor or thread left, or no library.
    init(_ error: SystemError) {
        guard error != .noLibrary else {
            self.init(
                .noDaemon,
                "libavahi-client.so.3, through which avahi-daemon is spoken to, cannot be loaded. Install the package "
                    + "libavahi-client3."
            )
            return
        }
        self.init(.internalFault, "no resources for a connection to avahi-daemon: \(error)")
    }

    /// Makes the error to report when no connection could be made.
    init(connecting error: AvahiError) {
        switch error {
        case .dbus, .noDaemon:
            self.init(
                .noMessageBus,
                """
                no message bus (D-Bus) was found, through which avahi-daemon is spoken to. Start it (systemctl start \
                dbus, or in a container: dbus-daemon --system --fork, then avahi-daemon --daemonize), or set \
                DBUS_SYSTEM_BUS_ADDRESS to the address at which it listens.
                """
            )
        case .accessDenied:
            self.init(.refused, "the message bus (D-Bus) does not let this user speak to avahi-daemon (\(error)).")
        case .tooManyClients:
            self.init(
                .limitReached,
                "avahi-daemon serves as many clients as it may (\(error)). Raise clients-max in avahi-daemon.conf."
            )
        case .disconnected:
            self = .noDaemon
        default:
            self.init(.noDaemon, "no connection to avahi-daemon: \(error).")
        }
    }
}
