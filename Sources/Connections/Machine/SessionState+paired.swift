internal import GatewayProtocol
package import PairedFacts

extension SessionState {
    /// The state of the paired gateway in one word, as every view shows it. One that hangs up on the token refuses it,
    /// although it is asked again in a while: somebody has to look.
    package var paired: PairedState {
        switch self {
        case .stopped, .held: .paired
        case .deferred(let refusal, _) where refusal.reason == .hungUp: .refused
        case .queued, .deferred: .waiting
        case .idle, .waiting: .away
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
