internal import GatewayProtocol
internal import Pairing

/// A paired gateway at which this device is an admin, or may be one: it may approve and reject other devices there.
///
/// At a Clawline provider, only the provider knows: it tells admins which devices wait, and nobody else.
struct AdminPairing: Hashable, Sendable {
    let pairing: StoredPairing

    /// The credential that allows it.
    let credential: StoredCredential

    /// Creates it for a pairing; `nil` if this device is no admin there.
    init?(_ pairing: StoredPairing) {
        guard let credential = pairing.adminCredential else { return nil }
        self.pairing = pairing
        self.credential = credential
    }

    /// Creates it for a gateway that is asked for what any device may ask for.
    init(_ pairing: StoredPairing, as credential: StoredCredential) {
        self.pairing = pairing
        self.credential = credential
    }

    /// Indicates whether this device may do everything there.
    var isOwner: Bool { pairing.isOwned }

    /// Indicates whether the beginning of an identifier of a request is not enough there, since devices choose theirs.
    var needsWholeIdentifiers: Bool { !RequestName.mayBeCut(in: pairing.dialect) }

    /// Returns the scopes that this device lacks for approving a request.
    func scopesLacking(for request: DeviceRequest) -> [String] { pairing.scopesLacking(for: request) }
}

extension CallProblem {
    /// The trouble of a device that a Clawline provider tells nothing.
    static let toldOfNone = CallProblem(
        "it tells this device of none that waits: only the first device that is paired there is an admin"
    )
}

/// The answer of a gateway to an admin who asked which devices wait.
struct AdminAnswer: Sendable {
    let admin: AdminPairing
    let outcome: Result<DeviceRequestList, CallProblem>

    var requests: [DeviceRequest] { (try? outcome.get())?.requests ?? [] }

    var trouble: CallProblem? {
        guard case .failure(let trouble) = outcome else { return nil }
        return trouble
    }
}
