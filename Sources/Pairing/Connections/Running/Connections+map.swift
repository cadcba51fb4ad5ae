internal import DNSSD
internal import GatewayProtocol
internal import Logging
internal import Scanning

/// The map and the network, from which sessions learn where their gateways are.
extension Connections {
    // MARK: Map

    /// Follows the map, which shows where paired gateways are.
    func followMap() async {
        for await update in constellation.updates {
            switch update {
            case .snapshot(let snapshot):
                rows = RowIndex(snapshot.gateways)
                for row in snapshot.gateways { reportPaired(pairings.facts.look(row, network: environment.network)) }
                for pairing in Array(pairings.all.values) { offerPaths(to: pairing) }
            case .change(.found(let row), _):
                rows.update(row)
                sighted(row)
            case .change(.changed(let row, let aspects), _):
                let former = rows[row.id]
                rows.update(row)
                if !aspects.isDisjoint(with: [.name, .records]) { noteName(of: row) }
                guard !aspects.isSubset(of: [.latency, .bots, .name, .flags]) else {
                    if aspects.contains(.latency) { answered(row) }
                    // The verdict on the gateway is another one.
                    if aspects.contains(.flags) { for pairing in concerned(by: row) { offerPaths(to: pairing) } }
                    continue
                }
                let concerned = sighted(row)
                for pairing in former.map(concerned(by:)) ?? [] where !concerned.contains(pairing.id) {
                    offerPaths(to: pairing)
                }
            case .change(.lost(let row), _), .change(.joined(let row, _), _):
                rows.remove(row.id)
                for pairing in concerned(by: row) { offerPaths(to: pairing) }
            case .change(.problem, _):
                break
            }
        }
    }

    /// Returns the pairings whose gateway a row is, or claims to be.
    private func concerned(by row: Gateway) -> [StoredPairing] {
        let leaves = RowIndex.leaves(of: row)
        return pairings.all.values.filter {
            PathChoice.concerns(row, showing: leaves, $0, rowID: pairings.row(of: $0.id))
        }
    }

    /// Handles the sighting of a gateway, possibly elsewhere: sessions that look for it look at once.
    ///
    /// - Returns: The pairings that it may be the gateway of.
    @discardableResult
    private func sighted(_ row: Gateway) -> Set<PairingID> {
        let concerned = concerned(by: row)
        reportPaired(pairings.facts.look(row, network: environment.network))
        for pairing in concerned {
            reportPins(of: pairing, in: row)
            offerPaths(to: pairing)
            // A row whose paths are all gone is no sign that its gateway is back.
            guard row.paths.contains(where: { $0.liveness != .gone }) else { continue }
            // The first session alone counts, so that a gateway with many does not delay the others.
            let first = schedule.spreading.delay(now: environment.clock.now, using: &generator)
            let delays = WakeUpSpreading.delays(for: pairing.credentials.count, using: &generator)
            for (credential, delay) in zip(pairing.credentials, delays) {
                // A connected session pings without a delay: it may lead to where the gateway was before.
                let isConnected = kept[credential.id]?.state.isConnected == true
                handle(.wake(after: isConnected ? .zero : first + delay), of: credential.id)
            }
        }
        return Set(concerned.map(\.id))
    }

    /// Handles an answer of a gateway that was alive already: sessions that wait for their back-off may try again.
    private func answered(_ row: Gateway) {
        let news = pairings.facts.look(row, after: [.latency], network: environment.network)
        if !news.isEmpty {
            reportPaired(news)
            for pairing in concerned(by: row) { offerPaths(to: pairing) }
        }
        guard !schedule.waiting.isEmpty else { return }
        let leaves = RowIndex.leaves(of: row)
        for credential in schedule.waiting {
            guard let pairing = pairings.pairing(of: credential),
                PathChoice.concerns(row, showing: leaves, pairing, rowID: pairings.row(of: pairing.id))
            else { continue }
            handle(.answered, of: credential)
        }
    }

    /// Notes the name that the gateway of a session has for itself now.
    private func noteName(of row: Gateway) {
        for credential in pairings.facts.pairing(of: row)?.credentials ?? [] {
            guard let live = kept[credential.id]?.live else { continue }
            noteName(at: live.endpoint, of: credential.id)
        }
    }

    /// Passes the pin to the map for the endpoints that have shown it: from now on they have to show it again. The map
    /// itself has recognized them by the marks of the pairing.
    private func reportPins(of pairing: StoredPairing, in row: Gateway) {
        guard case .pinned(let pin) = pairing.trust else { return }
        for path in row.paths where path.outcome?.shownLeaf == pin {
            guard pairing.isPlace(path.endpoint, telling: path.outcome?.identity?.fingerprint) else { continue }
            reportPins(at: told.pin(pin, at: path.endpoint, of: pairing.id))
        }
    }

    /// Chooses the paths to a gateway again, and passes them to its sessions.
    func offerPaths(to pairing: StoredPairing) {
        let rowID = pairings.row(of: pairing.id)
        let concerning = rows.rows(concerning: pairing, rowID: rowID)
        let offer = PathChoice(
            pairing,
            pairings.facts.marks(of: pairing.id) ?? pairing.marks(environment.network),
            rowID: rowID,
            rows: concerning
        ).offer
        if pairing.credentials.contains(where: { kept[$0.id]?.machine.offer != offer }) {
            log(offer, of: pairing, concerning)
        }
        for credential in pairing.credentials { handle(.offer(offer), of: credential.id) }
    }

    /// Looks again at the network of a gateway that gets no token: connecting to it has shown more than was known.
    func lookAgain(at pairing: PairingID) {
        guard let row = pairings.row(of: pairing).flatMap({ rows[$0] }) else { return }
        reportPaired(pairings.facts.look(row, network: environment.network))
    }

    private func log(_ offer: PathOffer, of pairing: StoredPairing, _ rows: [Gateway]) {
        let answering = rows.flatMap(\.paths).filter { $0.liveness == .answering }
        logger?.debug(
            "ways",
            metadata: [
                "gateway": "\(pairing.name)",
                "paths": "\(offer.all.map(\.description).joined(separator: " "))",
                "answering": "\(answering.map(\.endpoint.description).joined(separator: " "))",
                "obstacle": "\(offer.obstacle.map { "\($0)" } ?? "none")",
            ]
        )
    }

    // MARK: Network

    /// Follows the network of this host: when it changes, gateways may be back, or other ones may be there.
    func followNetwork() async {
        for await _ in environment.networkChanges() {
            reportPaired(pairings.facts.lookAgain(network: environment.network))
            for pairing in Array(pairings.all.values) { offerPaths(to: pairing) }
            wakeAll()
        }
    }
}
