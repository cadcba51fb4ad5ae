/// A part of an ``Agent`` that the settings ask for.
package enum SettingPart: Hashable, Sendable {
    /// That which advertises a gateway of this host.
    case advertiser(AdvertisedGateway)

    /// That which advertises a gateway of this host that was found, on these interfaces.
    case foundAdvertiser(AdvertisedGateway, on: Set<String>)

    /// That which looks which gateways of this host nobody advertises.
    case unadvertised

    /// That which publishes the gateways of the LAN in the zone of a site.
    case site(SiteSetting)

    /// That which answers at a port of this host.
    case port(UInt16)

    /// That which answers at any free port of this host, for the page.
    case page

    /// That which writes metrics to a file.
    case metricsFile(String)

    /// Returns the parts that settings ask for.
    ///
    /// - Parameters:
    ///   - hasPage: Indicates whether somebody wants the page, which is at the port of the settings if they name one.
    ///   - found: The advertisers of gateways that nobody else advertises.
    static func all(in settings: Settings, hasPage: Bool = false, found: [SettingPart] = []) -> [SettingPart] {
        settings.advertised.value.map(SettingPart.advertiser)
            + (settings.advertisesFound.value ? [.unadvertised] + found : [])
            + (settings.site.value.map { [.site($0)] } ?? [])
            + (settings.port.value.map { [.port($0)] } ?? (hasPage ? [.page] : []))
            + (settings.metricsFile.value.map { [.metricsFile($0)] } ?? [])
    }
}
