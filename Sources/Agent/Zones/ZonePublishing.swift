internal import DNSSD
internal import Discovery
internal import Logging

/// Makes that which publishes in a zone of the settings.
struct ZonePublishing: Sendable {
    /// Those of ``ReadToken/variables`` that are set.
    let environment: [String: String]
    let logger: Logger?

    /// - Parameter isPointed: Whether browsers of the domain above are led to this one.
    /// - Throws: ``BackendError`` if the key cannot be read.
    func backend(_ zone: ZoneSetting, isPointed: Bool = false) throws -> ZoneBackend {
        let owner = PublisherID.current(environment: environment) { logger?.warning("\($0)") }
        let configuration = ZoneConfiguration(
            domain: zone.domain,
            signer: try TransactionKeyFile.signer(at: zone.key),
            server: zone.server,
            owner: owner,
            isPointed: isPointed
        )
        return try ZoneBackend(configuration, logger: logger)
    }
}
