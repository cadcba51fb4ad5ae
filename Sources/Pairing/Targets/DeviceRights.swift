internal import GatewayProtocol

/// The rights that this device asks an OpenClaw gateway for. Only those gateways distinguish them, and asking for more
/// later is a new request, which somebody must approve.
package enum DeviceRights: String, Hashable, Sendable, CaseIterable {
    /// To see bots and talk to them.
    case member
    /// To approve and reject other devices, too. There are no rights for that alone: it is asked for as `operator.admin`,
    /// which opens everything.
    case admin
    /// To do everything at the gateway, such as making setup codes.
    case owner

    /// The scopes that stand for them.
    var scopes: [String] {
        switch self {
        case .member: OpenClawConnect.scopesForReading
        case .admin: OpenClawConnect.scopesForAdmins
        case .owner: OpenClawConnect.scopesForOwners
        }
    }
}
