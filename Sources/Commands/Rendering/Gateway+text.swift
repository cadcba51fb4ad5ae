internal import GatewayProtocol
internal import Reports
internal import Scanning

extension Gateway {
    /// The liveness of the gateway in words, with the reason if it floods; `nil` while it is unknown.
    var livenessText: String? { isFlooding ? "suspect: floods" : liveness?.text }

    /// The same, with the readiness of one that answers and is not ready.
    var stateText: String? {
        liveness == .answering && readiness?.isReady == false ? "answering, not ready" : livenessText
    }

    /// Indicates whether all its paths have been asked, as far as they can be: a paired gateway that is just being asked is
    /// not gone.
    var isAsked: Bool { paths.allSatisfy { $0.outcome != nil || $0.waiting != nil || $0.liveness != nil } }

    /// The reason why one that answers is not ready, cleaned; `nil` if it is ready, or does not say.
    var readinessRemark: String? {
        liveness == .answering && readiness?.reason != nil ? readiness?.text : nil
    }
}

extension GatewayPath {
    /// The liveness of the path in words, with the reason if it floods.
    var livenessText: String {
        isFlooding && liveness == .suspect
            ? "suspect: floods" : liveness?.text ?? (outcome == nil ? "not asked yet" : "no answer")
    }
}

extension Liveness {
    /// The liveness as one word for people.
    var text: String {
        switch self {
        case .answering: "answering"
        case .suspect: "suspect"
        case .gone: "gone"
        }
    }
}

extension GatewayFlag {
    /// The meaning of the flag, for people.
    var text: String {
        switch self {
        case .sameFingerprint: "another one claims the same fingerprint; at most one of them is what it says"
        case .contradicts: "it answers as another gateway than before, or than it is advertised as"
        case .elsewhere:
            "it answers elsewhere than where it was paired; --trust lan sends its tokens to whoever answers under its "
                + "fingerprint"
        case .changedLeaf:
            "another certificate is shown where it was, and it is sent nothing; clawradar trust accepts it"
        case .moved: "it says that it is paired, and has not proved it at this address; clawradar trust accepts it"
        }
    }
}
