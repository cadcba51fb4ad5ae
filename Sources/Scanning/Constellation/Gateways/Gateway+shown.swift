package import DNSSD
package import GatewayProtocol

extension Gateway {
    /// Creates a row as the map of another process shows it.
    package init(
        id: GatewayID,
        fingerprint: GatewayFingerprint?,
        name: String,
        services: [DiscoveredService],
        bots: [Bot],
        botsLeftOut: Int,
        flags: Set<GatewayFlag>,
        isPaired: Bool,
        foundLeaf: LeafFingerprint?,
        alias: GatewayAlias? = nil,
        otherNames: [String] = [],
        paths: [GatewayPath]
    ) {
        self.init(
            particulars: GatewayDetails(
                id: id,
                fingerprint: fingerprint,
                name: name,
                services: services.map(AdvertisedService.init),
                bots: bots,
                botsLeftOut: botsLeftOut,
                flags: flags,
                isPaired: isPaired,
                foundLeaf: foundLeaf,
                alias: alias,
                otherNames: otherNames
            ),
            paths: paths
        )
    }
}

extension GatewayPath {
    /// Creates a path as the map of another process shows it.
    package init(
        endpoint: Endpoint,
        reach: Reach,
        isManual: Bool,
        outcome: ProbeOutcome?,
        proof: GatewayProof,
        liveness: Liveness?,
        roundTrip: Duration?,
        waiting: WaitingReason?,
        isFlooding: Bool,
        contradicts: Bool,
        isHearsay: Bool = false,
        isElsewhere: Bool,
        silence: NoAnswer?,
        readiness: Readiness? = nil,
        leads: Bool,
        machine: Machine? = nil,
        source: PlaceSource? = nil
    ) {
        self.init(
            endpoint: endpoint,
            reach: reach,
            isManual: isManual,
            outcome: outcome,
            proof: proof,
            liveness: liveness,
            roundTrip: roundTrip,
            waiting: waiting,
            isFlooding: isFlooding
        )
        self.contradicts = contradicts
        self.isHearsay = isHearsay
        self.machine = machine
        self.isElsewhere = isElsewhere
        self.silence = silence
        self.readiness = readiness
        self.leads = leads
        self.source = source
    }
}
