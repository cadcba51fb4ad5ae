internal import Agent
internal import Console
internal import DNSSD
internal import Discovery
internal import GatewayProtocol
internal import Logging

extension CommonOptions {
    /// Makes a browser with the backend that was chosen. Without types and interfaces, those of the settings count, or
    /// else all.
    func makeBrowser(
        types: [ServiceType],
        interfaces: [String],
        maximumServices: Int,
        logger: Logger?
    ) throws(CommandFailure) -> Browser {
        let backend: any ServiceBackend
        do {
            backend = try makeBackend(maximumServices: maximumServices, logger: logger)
        } catch {
            throw CommandFailure(error)
        }
        let settings = types.isEmpty || interfaces.isEmpty ? SettingsReader.settingsOrWarnings() : Settings()
        let wanted = types.isEmpty ? settings.types.value : types
        let configuration = BrowserConfiguration(
            types: wanted.isEmpty ? ServiceType.gatewayTypes : wanted,
            interfaces: Set(interfaces.isEmpty ? settings.interfaces.value : interfaces),
            maximumServices: maximumServices
        )
        return Browser(configuration, backend: backend)
    }
}
