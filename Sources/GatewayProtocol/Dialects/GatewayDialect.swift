public import DNSSD

/// The protocols that gateways speak.
@nonexhaustive
public enum GatewayDialect: String, Hashable, Sendable, CaseIterable {
    /// The OptaPlus protocol, this project's own: `gateway.discover` over WebSocket.
    case optaplus

    /// Released OpenClaw gateways, protocols 3 and 4.
    case openClaw = "openclaw"

    /// The Clawdbot bridge of January 2026: lines of JSON over TCP.
    case bridge

    /// The OpenAgents desktop program.
    case openAgents = "openagents"

    /// The Clawline provider.
    case clawline

    /// Reads the name of a dialect; `nil` when no dialect has this name. The earlier name of ``optaplus``, `design`, is
    /// accepted too.
    public init?(name: String) {
        if name == "design" {
            self = .optaplus
        } else {
            self.init(rawValue: name)
        }
    }
}

extension GatewayDialect {
    /// Indicates whether a gateway has one token, its user's, which opens all of it to every device that has it.
    package var hasOneToken: Bool { self == .openAgents }

    /// Indicates whether its tokens are of no use without the key or the identifier of the device that they were issued to:
    /// they never leave this device.
    package var bindsTokensToDevice: Bool {
        switch self {
        case .openClaw, .bridge, .clawline: true
        case .optaplus, .openAgents: false
        }
    }

    /// Returns whether this program pairs with gateways of the dialect. The one token of a gateway would be kept to be sent
    /// again, and that is not done without TLS.
    package func isPairedWith(overTLS isTLS: Bool) -> Bool { isTLS || !hasOneToken }

    /// Returns whether a token may go to an address without TLS if the user wants that: the one token for all devices only
    /// within this host, a local network or a tailnet.
    package func maySendItsToken(inClearTo address: IPAddress) -> Bool {
        !hasOneToken || address.mayHaveSecretsInClear
    }

    /// Indicates whether its messages are lines over TCP; otherwise they are those of a WebSocket.
    package var hasLines: Bool { self == .bridge }

    /// Indicates whether it has a question for the fingerprint of a gateway.
    package var tellsFingerprint: Bool {
        switch self {
        case .optaplus: true
        case .openClaw, .bridge, .openAgents, .clawline: false
        }
    }

    /// Indicates whether it speaks frames: requests with their answers, and events. The messages of the others have no
    /// identifiers by which an answer could be told.
    package var hasFrames: Bool {
        switch self {
        case .optaplus, .openClaw: true
        case .bridge, .openAgents, .clawline: false
        }
    }

    /// Indicates whether a device can remove itself from a gateway; otherwise only the gateway's operator can.
    package var letsDevicesLeave: Bool {
        switch self {
        case .optaplus: true
        case .openClaw, .bridge, .openAgents, .clawline: false
        }
    }

    /// Returns the path that is upgraded to WebSocket at a gateway, given the path of the gateway itself.
    package func webSocketPath(of resource: String) -> String {
        guard self == .clawline, !resource.hasSuffix("/ws") else { return resource }
        return resource.hasSuffix("/") ? "\(resource)ws" : "\(resource)/ws"
    }

    /// The service type under which gateways of the dialect are found; `nil` for Clawline, whose address the user types
    /// in.
    public var serviceType: ServiceType? {
        switch self {
        case .optaplus: .openClaw
        case .openClaw: ServiceType(checkedName: "openclaw-gw", transport: .tcp)
        case .bridge: ServiceType(checkedName: "clawdbot-bridge", transport: .tcp)
        case .openAgents: ServiceType(checkedName: "openagents", transport: .tcp)
        case .clawline: nil
        }
    }
}

extension GatewayDialect {
    /// The port at which gateways of this dialect usually listen.
    package var usualPort: UInt16 {
        switch self {
        case .optaplus: 3_000
        case .openClaw: 18_789
        case .bridge: 18_790
        case .openAgents: 9_099
        case .clawline: 18_800
        }
    }

    /// The usual ports of all dialects, which a host without a port is asked at.
    package static var usualPorts: [UInt16] { allCases.map(\.usualPort) }
}
