/// What a device waits for until the operator of an OpenClaw gateway decides.
struct PairingRequest: Hashable, Sendable {
    let requester: OpenClawRequester

    /// What the operator approves it by.
    let id: String
}
