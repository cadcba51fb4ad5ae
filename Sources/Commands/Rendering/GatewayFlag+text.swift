internal import Constellation

extension GatewayFlag {
    /// The meaning of the flag for the user, in words.
    var text: String {
        switch self {
        case .sameFingerprint: "another one claims the same fingerprint; at most one of them is what it says"
        case .contradicts: "it answers as another gateway than it is advertised as"
        case .moved: "it says that it is paired, and has not proved it at this address"
        }
    }
}
