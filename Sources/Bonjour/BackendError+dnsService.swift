internal import DNSSD
internal import HostSystem

extension BackendError {
    /// The time after which a call that is still blocked, or has failed only then, counts as not answered.
    static let answerTimeout = Duration.seconds(1)

    /// Makes the error to report when a call has failed or a reference was lost.
    ///
    /// - Parameters:
    ///   - error: The library's error.
    ///   - time: The time that the call took.
    init(_ error: DNSServiceError, after time: Duration = .zero) {
        guard time < Self.answerTimeout else {
            self = .daemonNotAnswering
            return
        }
        switch error {
        case .noMemory:
            self.init(.limitReached, "libdns_sd has no memory for another reference (\(error)).")
        case .refused, .notAuthorized:
            self.init(
                .refused,
                "the DNS-SD daemon refuses what was asked (\(error)). With avahi-daemon, look at clients-max and "
                    + "disable-user-service-publishing in avahi-daemon.conf."
            )
        default:
            self.init(
                .noDaemon,
                "libdns_sd cannot reach its daemon (\(error)). Start avahi-daemon (systemctl start avahi-daemon) or "
                    + "mDNSResponder, whichever the library belongs to."
            )
        }
    }

    /// The error to report when the daemon does not answer a call.
    static let daemonNotAnswering = BackendError(
        .daemonNotAnswering,
        "the DNS-SD daemon behind libdns_sd is running and does not answer. Look at its state and log, or restart it."
    )

    /// The error to report when this process holds as many references as it may.
    static let noReference = BackendError(
        .limitReached,
        "\(ReferenceQuota.capacity) references to libdns_sd are in use, and no more are taken. Browse for fewer types, "
            + "or publish fewer services."
    )

    /// Makes the error to report when the system has no descriptor or thread left, or no library.
    init(_ error: SystemError) {
        guard error != .noLibrary else {
            self.init(
                .noDaemon,
                "libdns_sd cannot be loaded. Install Avahi's (the package libavahi-compat-libdnssd1), or Apple's with its "
                    + "daemon, mDNSResponder."
            )
            return
        }
        self.init(.internalFault, "no resources for a thread that calls libdns_sd: \(error)")
    }
}
