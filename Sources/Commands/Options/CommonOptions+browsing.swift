internal import Agent
internal import Console
internal import DNSSD
internal import Discovery
internal import GatewayProtocol
internal import Logging

extension CommonOptions {
    /// Makes a browser with the backend that was chosen. Without types and interfaces, those of the settings count, or
    /// else all; and the same of domains.
    func makeBrowser(
        types: [ServiceType],
        interfaces: [String],
        domains: WideAreaConfiguration,
        maximumServices: Int,
        logger: Logger?
    ) throws(CommandFailure) -> Browser {
        let isSaid = !types.isEmpty && !interfaces.isEmpty && !domains.isEmpty
        let settings = isSaid ? Settings() : SettingsReader.settingsOrWarnings()
        let wideArea = domains.isEmpty ? settings.wideArea : domains
        let backend: any ServiceBackend
        do {
            backend = try makeBackend(maximumServices: maximumServices, wideArea: wideArea, logger: logger)
        } catch {
            throw CommandFailure(error)
        }
        let wanted = types.isEmpty ? settings.types.value : types
        let configuration = BrowserConfiguration(
            types: wanted.isEmpty ? ServiceType.gatewayTypes : wanted,
            interfaces: Set(interfaces.isEmpty ? settings.interfaces.value : interfaces),
            maximumServices: maximumServices
        )
        return Browser(configuration, backend: backend)
    }
}
