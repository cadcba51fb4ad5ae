package import DNSSD

/// A zone in which is published, as the settings name it.
package struct ZoneSetting: Hashable, Sendable {
    /// The domain.
    package let domain: DomainName

    /// The path of the file with the key that the zone's server has.
    package let key: String

    /// The server; `nil` for the one that the zone names.
    package let server: Endpoint?

    package init(domain: DomainName, key: String, server: Endpoint? = nil) {
        self.domain = domain
        self.key = key
        self.server = server
    }
}

/// The zone of a site: the gateways of its LAN are published there.
package struct SiteSetting: Hashable, Sendable {
    package let zone: ZoneSetting

    /// The names of the gateways that are published; `nil` for all.
    package let gateways: [String]?

    package init(zone: ZoneSetting, gateways: [String]? = nil) {
        self.zone = zone
        self.gateways = gateways
    }
}
