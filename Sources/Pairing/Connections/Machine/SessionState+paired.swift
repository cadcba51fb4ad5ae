internal import GatewayProtocol

extension SessionState {
    /// The state of the paired gateway in one word, as every view shows it.
    package var paired: PairedState {
        switch self {
        case .stopped, .held: .paired
        case .deferred(let refusal, _) where refusal.stands: .refused
        case .queued, .deferred: .waiting
        case .idle, .waiting: .gone
        case .connecting, .authenticating: .connecting
        case .connected: .connected
        case .moved: .moved
        case .changedLeaf: .changedLeaf
        case .uncertified: .uncertified
        case .refused: .refused
        case .revoked: .revoked
        case .failed: .failed
        }
    }
}
