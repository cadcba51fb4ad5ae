internal import DNSSD

extension BackendError {
    /// Indicates whether there is no daemon that could do the work. A daemon that does not answer is present and may
    /// only be busy, and two responders for one host get in each other's way.
    var meansNoDaemon: Bool {
        switch code {
        case .noMessageBus, .noDaemon, .refused: true
        default: false
        }
    }
}
