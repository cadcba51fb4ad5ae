internal import Constellation
internal import DNSSD
internal import GatewayProtocol

extension GatewayID {
    /// The row as one text, another for each: `fingerprint:abc123`, `service:Home._openclaw._tcp.local`.
    var text: String {
        switch self {
        case .fingerprint(let fingerprint): "fingerprint:\(Self.text(fingerprint))"
        case .candidate(let candidate): Self.text(candidate)
        case .claimant(let fingerprint, let candidate): "claimant:\(Self.text(fingerprint)):\(Self.text(candidate))"
        }
    }

    // As a label is escaped, so that bytes that are no UTF-8 stay apart.
    private static func text(_ fingerprint: GatewayFingerprint) -> String { DomainName.escape(fingerprint.bytes) }

    private static func text(_ candidate: GatewayCandidate) -> String {
        switch candidate {
        case .service(let instance): "service:\(instance.fullName)"
        case .endpoint(let endpoint): "endpoint:\(endpoint)"
        }
    }
}
