internal import GatewayProtocol

extension StoredPairing {
    /// The command by which the operator of its gateway removes this device there; `nil` if a device can do that
    /// itself.
    ///
    /// OpenClaw's gateways let a device remove itself only if it has the scope of an operator, which is never requested
    /// here.
    public var removingCommand: String? {
        guard dialect == .openClaw, let device = credentials.first?.deviceID else { return nil }
        return operatorTool.removingCommand(device: device)
    }
}
