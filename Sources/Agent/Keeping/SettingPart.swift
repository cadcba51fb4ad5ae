package import UserSettings

/// A part of an ``Agent`` that the settings ask for.
package enum SettingPart: Hashable, Sendable {
    /// That which advertises a gateway of this host.
    case advertiser(AdvertisedGateway)

    /// That which answers at a port of this host.
    case port(UInt16)

    /// That which writes metrics to a file.
    case metricsFile(String)

    /// Returns the parts that settings ask for.
    static func all(in settings: Settings) -> [SettingPart] {
        settings.advertised.value.map(SettingPart.advertiser)
            + (settings.port.value.map { [.port($0)] } ?? [])
            + (settings.metricsFile.value.map { [.metricsFile($0)] } ?? [])
    }
}
