/// A request of a device to be paired, which waits until the operator of an OpenClaw gateway decides.
struct PairingRequest: Hashable, Sendable {
    let requester: OpenClawRequester

    /// The identifier by which the operator approves it.
    let id: String
}
