internal import DNSSD

extension Resolution {
    /// The reason why the service cannot be connected to; `nil` when it can.
    var obstacle: String? {
        switch self {
        case .resolved: nil
        case .resolving: "still being resolved when the time was up"
        case .failed(let reason): reason
        }
    }
}
