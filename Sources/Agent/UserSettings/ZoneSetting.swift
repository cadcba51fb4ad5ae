package import DNSSD
package import GatewayProtocol
internal import Scanning

/// A zone in which is published, as the settings name it.
package struct ZoneSetting: Hashable, Sendable {
    /// The domain.
    package let domain: DomainName

    /// The path of the file with the key that the zone's server has.
    package let key: String

    /// The server; `nil` for the one that the zone names.
    package var server: Endpoint?
}

/// The zone of a site: the gateways of its LAN are published there.
package struct SiteSetting: Hashable, Sendable {
    package let zone: ZoneSetting

    /// The gateways that are published; `nil` for all.
    package var gateways: [SiteGateway]?
}

/// A gateway that is to be published, as the settings name it.
package enum SiteGateway: Hashable, Sendable, CustomStringConvertible {
    /// Whatever has this name, which anybody may take.
    case name(String)

    /// The one that proves that it has this fingerprint.
    case fingerprint(GatewayFingerprint)

    /// Reads a name or an identifier; `nil` for an identifier that is none of a fingerprint, or without text.
    package init?(_ text: String) {
        guard text.hasPrefix("fingerprint:") else {
            guard !text.isEmpty else { return nil }
            self = .name(text)
            return
        }
        guard case .fingerprint(let fingerprint)? = GatewayID(text)?.form else { return nil }
        self = .fingerprint(fingerprint)
    }

    /// The text from which it can be read.
    package var description: String {
        switch self {
        case .name(let name): name
        case .fingerprint(let fingerprint): GatewayID.fingerprint(fingerprint).description
        }
    }
}
