internal import GatewayProtocol

extension StoredPairing {
    /// The command with which the operator of its gateway removes this device there; `nil` where a device can do that itself.
    ///
    /// OpenClaw's gateways let no device remove itself that has not the scope of an operator, which is never asked for here.
    public var removingCommand: String? {
        guard dialect == .openClaw, let device = credentials.first?.deviceID else { return nil }
        return "openclaw devices remove \(device)"
    }
}
