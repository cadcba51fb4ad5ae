internal import GatewayProtocol
internal import PairingStore

/// A paired gateway at which this device is an admin: it may approve and reject other devices there.
struct AdminPairing: Hashable, Sendable {
    let pairing: StoredPairing

    /// The credential that allows it.
    let credential: StoredCredential

    /// Creates it for a pairing; `nil` if this device is no admin there.
    init?(_ pairing: StoredPairing) {
        let credential = pairing.credentials.first {
            OperatorScopes.allow(OperatorScopes.pairing, granted: $0.scopes)
        }
        guard pairing.dialect == .openClaw, let credential else { return nil }
        self.pairing = pairing
        self.credential = credential
    }

    /// Indicates whether this device may do everything there.
    var isOwner: Bool { OperatorScopes.allow(OperatorScopes.admin, granted: credential.scopes) }

    /// Returns the scopes that this device lacks for approving a request.
    func scopesLacking(for request: DeviceRequest) -> [String] { request.scopesLacking(in: credential.scopes) }
}

/// The reason why a gateway has not done what an admin asked for, as a sentence for people without a full stop.
struct AdminTrouble: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The answer of a gateway to an admin who asked which devices wait.
struct AdminAnswer: Sendable {
    let admin: AdminPairing
    let outcome: Result<DeviceRequestList, AdminTrouble>

    var requests: [DeviceRequest] { (try? outcome.get())?.requests ?? [] }

    var trouble: AdminTrouble? {
        guard case .failure(let trouble) = outcome else { return nil }
        return trouble
    }
}
