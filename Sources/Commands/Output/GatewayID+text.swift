internal import Constellation
internal import DNSSD
internal import GatewayProtocol

extension GatewayID {
    /// The row as one text, another for each: `fingerprint:abc123`, `service:Home._openclaw._tcp.local`.
    var text: String {
        switch self {
        case .fingerprint(let fingerprint): "fingerprint:\(Self.text(fingerprint))"
        case .lead(let lead): Self.text(lead)
        case .claimant(let fingerprint, let lead): "claimant:\(Self.text(fingerprint)):\(Self.text(lead))"
        }
    }

    // As a label is escaped, so that bytes that are no UTF-8 stay apart.
    private static func text(_ fingerprint: GatewayFingerprint) -> String { DomainName.escape(fingerprint.bytes) }

    private static func text(_ lead: GatewayLead) -> String {
        switch lead {
        case .service(let instance): "service:\(instance.fullName)"
        case .endpoint(let endpoint): "endpoint:\(endpoint)"
        }
    }
}
