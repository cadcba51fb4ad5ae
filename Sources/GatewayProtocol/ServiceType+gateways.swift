public import DNSSD

extension ServiceType {
    /// `_openclaw._tcp`: the type of this project's contract. Other programs use it too, so a service under it must be
    /// asked before it counts as a gateway.
    public static let openClaw = ServiceType(checkedName: "openclaw", transport: .tcp)

    /// `_openclaw-gw._tcp`: the type of every OpenClaw gateway released since 2026-01-30.
    public static let openClawGateway = ServiceType(checkedName: "openclaw-gw", transport: .tcp)

    /// The types under which gateways of every era are found, the project's own first.
    ///
    /// A service that is advertised under one of them is not necessarily a gateway.
    public static let gatewayTypes = [
        openClaw,
        openClawGateway,
        // Clawdbot, January 2026.
        ServiceType(checkedName: "clawdbot-bridge", transport: .tcp),
        ServiceType(checkedName: "clawdbot-gw", transport: .tcp),
        ServiceType(checkedName: "moltbot-gw", transport: .tcp),
        // OpenAgents on the desktop.
        ServiceType(checkedName: "openagents", transport: .tcp),
    ]
}
