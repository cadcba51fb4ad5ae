/// The limits on how much a map takes in. Input from the network is bounded here once more.
package struct BotMapLimits: Hashable, Sendable {
    /// Services and manual endpoints, together.
    package var candidates: Int

    /// Bots of one gateway that are shown because it reports them; paired ones are always shown.
    package var botsPerGateway: Int

    /// Endpoints of one service.
    package var endpointsPerService: Int

    /// Services that lead to one endpoint, at least 1.
    package var candidatesPerEndpoint: Int {
        didSet { candidatesPerEndpoint = max(candidatesPerEndpoint, 1) }
    }

    /// Endpoints to which nothing leads that are remembered, in case their candidates are reported later or return.
    package var remembered: Int

    /// Bots that are paired, or being paired.
    package var pairings: Int

    /// Creates limits. Fewer than one candidate for each endpoint count as one; the others may be 0.
    package init(
        candidates: Int = 16_384,
        botsPerGateway: Int = 32,
        endpointsPerService: Int = 16,
        candidatesPerEndpoint: Int = 32,
        remembered: Int = 1_024,
        pairings: Int = 4_096
    ) {
        self.candidates = candidates
        self.botsPerGateway = botsPerGateway
        self.endpointsPerService = endpointsPerService
        self.candidatesPerEndpoint = max(candidatesPerEndpoint, 1)
        self.remembered = remembered
        self.pairings = pairings
    }

    /// The maximum number of characters of a name.
    static let nameLength = 64

    /// Truncates a name to the maximum length.
    static func capped(_ name: String) -> String {
        // Bytes are counted in constant time, and there are never fewer bytes than characters. One character can have
        // any number of bytes.
        guard name.utf8.count > nameLength else { return name }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: name.unicodeScalars.prefix(4 * nameLength))
        return String(String(scalars).prefix(nameLength))
    }
}
