package import DNSSD
internal import Discovery

extension CommonOptions {
    /// Publishes a service on the LAN until the user ends the program, and prints the states.
    package func publish(_ advertisement: Advertisement) async throws {
        let backend: any ServiceBackend
        do { backend = try makeBackend(logger: logger) } catch { throw CommandFailure(error) }
        try await publish(advertisement, by: backend)
    }

    /// Publishes a service by a backend, in the same way.
    ///
    /// - Parameter zone: The domain, if it is not that of the LAN.
    package func publish(
        _ advertisement: Advertisement,
        by backend: any ServiceBackend,
        zone: DomainName? = nil
    ) async throws {
        let advertiser: Advertiser
        do {
            advertiser = try Advertiser(advertisement, backend: backend)
        } catch {
            throw CommandFailure(error)
        }
        try await ReportedPublication(
            advertiser: advertiser,
            text: PublicationText(advertisement, zone: zone),
            write: { try StandardOutput().write($0) }
        ).run()
    }
}
