package import DNSSD
internal import Discovery

extension CommonOptions {
    /// Publishes a service until the user ends the program, and prints the states.
    package func publish(_ advertisement: Advertisement) async throws {
        let advertiser: Advertiser
        do {
            advertiser = try Advertiser(advertisement, backend: try makeBackend(logger: logger))
        } catch {
            throw CommandFailure(error)
        }
        try await ReportedPublication(
            advertiser: advertiser,
            text: PublicationText(advertisement),
            write: { try StandardOutput().write($0) }
        ).run()
    }
}
