package import GatewayProtocol

/// The rights of this device, as an admin of a gateway, about other devices.
extension StoredPairing {
    /// The credential with which this device is an admin there, or may be one: at a Clawline provider, only the provider
    /// knows. `nil` if it is none.
    package var adminCredential: StoredCredential? {
        switch dialect {
        case .openClaw: credentials.first { OperatorScopes.allow(OperatorScopes.pairing, granted: $0.scopes) }
        case .clawline: credentials.first
        case .optaplus, .bridge, .openAgents: nil
        }
    }

    /// Indicates whether this device may do everything there.
    package var isOwned: Bool { OperatorScopes.allow(OperatorScopes.admin, granted: adminCredential?.scopes ?? []) }

    /// Returns the scopes that this device lacks for approving a request. A Clawline provider knows no scopes: the device
    /// gets what every device has that is no admin.
    package func scopesLacking(for request: DeviceRequest) -> [String] {
        dialect == .openClaw ? request.scopesLacking(in: adminCredential?.scopes ?? []) : []
    }
}
