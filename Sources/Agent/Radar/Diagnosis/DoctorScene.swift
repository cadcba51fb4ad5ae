package import DNSSD
internal import GatewayClient
internal import GatewayProtocol
package import Pairing
internal import Reports
package import Scanning

/// The places of the one gateway that is asked about, among all that a scan has found. A value.
package struct DoctorScene: Sendable {
    /// All rows of the map.
    let rows: [Gateway]

    /// The row of the gateway; `nil` if there is none.
    let row: Gateway?

    /// Its pairing; `nil` if it is not paired.
    let pairing: StoredPairing?

    /// The endpoints that were typed.
    let typed: [Endpoint]

    /// The endpoints of its address outside of this network.
    let outside: [Endpoint]

    /// Indicates whether a host was typed without a port, so that most of the typed endpoints are mere guesses.
    let isHostAlone: Bool

    package init(
        rows: [Gateway],
        row: Gateway?,
        pairing: StoredPairing?,
        typed: [Endpoint] = [],
        outside: [Endpoint] = [],
        isHostAlone: Bool = false
    ) {
        self.rows = rows
        self.row = row
        self.pairing = pairing
        self.typed = typed
        self.outside = outside
        self.isHostAlone = isHostAlone
    }

    /// The paths that count: those of the row, those that were typed, and those of the pairing, each once.
    private var paths: [(path: GatewayPath, isOfRow: Bool)] {
        var seen: Set<Endpoint> = []
        var found: [(path: GatewayPath, isOfRow: Bool)] = []
        for path in row?.paths ?? [] where seen.insert(path.endpoint).inserted { found.append((path, true)) }
        let isKnown = found.contains { $0.path.outcome?.identity != nil }
        let named = (isHostAlone && isKnown ? [] : typed) + outside + (pairing?.endpoints ?? [])
        for endpoint in named where seen.insert(endpoint).inserted {
            let path = rows.lazy.compactMap { row in row.paths.first { $0.endpoint == endpoint } }.first
            if let path { found.append((path, false)) }
        }
        return found
    }

    /// The targets of the places that have given no answer that explains itself.
    var targets: [GatewayProbeTarget] {
        paths.compactMap { path, _ in
            let isTyped = typed.contains(path.endpoint)
            switch path.outcome {
            // Only a probe says which version of its protocol a provider speaks.
            case .gateway(let identity) where identity.dialect == .clawline: break
            case .gateway: guard path.liveness?.isAlive == false else { return nil }
            case .somethingElse: guard isTyped else { return nil }
            case .nothing(.noAnswer), .nothing(.closed), .nothing(.tlsFailure): break
            case .nothing, nil: return nil
            }
            return GatewayProbeTarget(
                endpoints: [path.endpoint],
                // The scan was allowed to ask these addresses, so the probe is, too.
                rules: TargetRules(
                    origin: path.isManual ? .user : .thisHost,
                    onLink: [TargetRules.Prefix(address: path.endpoint.address, length: 128)]
                ),
                hints: [ProbeHint(expected: row?.dialect, transports: .tlsFirst)]
            )
        }
    }

    /// Returns the places as facts.
    ///
    /// - Parameters:
    ///   - reports: What was found at the ``targets``.
    ///   - host: What this host knows.
    ///   - demand: The transport that was demanded at the typed endpoints.
    func places(
        _ reports: [Endpoint: GatewayProbeReport],
        _ host: HostFacts,
        demand: PlaceFacts.Demand?
    ) -> [PlaceFacts] {
        paths.map { path, isOfRow in
            let endpoint = path.endpoint
            var sources: Set<PlaceFacts.Source> = []
            if typed.contains(endpoint) { sources.insert(.typed) }
            if outside.contains(endpoint) { sources.insert(.outside) }
            if pairing?.endpoints.contains(endpoint) == true { sources.insert(.paired) }
            if sources.isEmpty { sources.insert(.advertised) }
            var place = PlaceFacts(endpoint, sources: sources, answer: PlaceAnswer(path, reports[endpoint]))
            // A place of the pairing in the row of another gateway is that one's by now.
            if !isOfRow, place.isAlive, sources == [.paired] { place.answer = .anotherGateway }
            if case .clawline(let version)? = reports[endpoint]?.verdict { place.protocolVersion = version }
            place.demand = typed.contains(endpoint) ? demand : nil
            place.neighbour = host.neighbour(at: endpoint.address)
            place.isOfContainers = host.isOfContainers(endpoint.address)
            place.containerInterface = host.containerInterface(of: endpoint.address)
            place.listeners = host.listeners(at: endpoint)
            return place
        }
    }
}
