/// The decision of an admin about a device that waits.
package enum DeviceDecision: String, Sendable {
    case approved
    case rejected

    /// The request by which an OpenClaw gateway is told of it.
    package var method: String {
        switch self {
        case .approved: "device.pair.approve"
        case .rejected: "device.pair.reject"
        }
    }
}
