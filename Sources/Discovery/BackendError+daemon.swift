internal import DNSSD

extension BackendError {
    /// Indicates whether there is no daemon that could do the work. One that does not answer is there and may only be
    /// busy: two who speak for one host get in each other's way.
    var meansNoDaemon: Bool {
        switch code {
        case .noMessageBus, .noDaemon, .refused: true
        default: false
        }
    }
}
