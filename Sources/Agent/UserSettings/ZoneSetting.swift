package import DNSSD

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

    /// The names of the gateways that are published; `nil` for all.
    package var gateways: [String]?
}
