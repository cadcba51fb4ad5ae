import DNSSD
import Foundation
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// Failures on this device, readers that come late, and paths that must not get the token.
extension ConnectionsTests {
    // MARK: The store

    /// A pairing or credential that another process has just moved to the bin gets no token any more, even on an open
    /// connection; once it is restored, it does.
    @Test func whatAnotherProcessHasUnpairedJustNowGetsNoToken() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(await attempt.open(.leaf(pin)))
            #expect(await attempt.isPermitted(.leaf(pin)))
            try store.moveToBin(pairing.id, reason: .forgotten, at: 2)
            await #expect(throws: StoreError.self) { try await attempt.call.secret() }
            #expect(await !attempt.isPermitted(.leaf(pin)))
            try store.restore(pairing.id)
            #expect(try await attempt.call.secret() == Secret("t0ken"))
            #expect(await attempt.isPermitted(.leaf(pin)))
            try store.moveToBin(credential, of: pairing.id, reason: .forgotten, at: 2)
            await #expect(throws: StoreError.self) { try await attempt.call.secret() }
            #expect(await !attempt.isPermitted(.leaf(pin)))
        }
    }

    /// No token is sent while the store cannot be read.
    @Test func aStoreThatCannotBeReadLetsNoTokenGo() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(await attempt.open(.leaf(pin)))
            let whole = try damageStore()
            #expect(await !attempt.isPermitted(.leaf(pin)))
            await #expect(throws: StoreError.self) { try await attempt.call.secret() }
            try mendStore(whole)
            #expect(await attempt.isPermitted(.leaf(pin)))
        }
    }

    /// A store that could not be read at the start is read again later.
    @Test func aStoreThatCannotBeReadIsReadAgain() async throws {
        let whole = try damageStore()
        try await running { _ in
            // By then the time of the next try is set.
            await clock.waitForSleeper()
            try mendStore(whole)
            await clock.turnToNext()
            var attempts = dialer.makeAttempts()
            #expect(await attempts.next() != nil)
        }
    }

    /// A credential that could not be locked is tried again later.
    @Test func lockThatCannotBeTakenIsTriedAgain() async throws {
        let locks = store.location.folder + "/locks"
        try? FileManager.default.removeItem(atPath: locks)
        try Data().write(to: URL(fileURLWithPath: locks))
        try await running { connections in
            await wait(for: connections) { if case .failed = $0 { true } else { false } }
            try FileManager.default.removeItem(atPath: locks)
            await clock.turnToNext()
            var attempts = dialer.makeAttempts()
            #expect(await attempts.next() != nil)
        }
    }

    /// A session that failed because its secret could not be opened is tried again later.
    @Test func aSecretThatCannotBeOpenedNowIsTriedAgain() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(await attempt.open(.leaf(pin)))
            attempt.fail(.failed("sealed"))
            await wait(for: connections) { $0 == .failed("sealed") }
            await clock.turnToNext()
            let again = try #require(await attempts.next())
            #expect(try await again.connect(.leaf(pin)) != nil)
            await wait(for: connections) { $0.isConnected }
        }
    }

    // MARK: The map

    /// A gateway whose session is faster than the first probe is no contradiction to its other address, which is asked
    /// twice: the session says of it what a probe would.
    @Test func aSessionThatIsFasterThanTheProbeContradictsNothing() async throws {
        let told = DiscoverPayload(
            fingerprint: fingerprint,
            name: "Home at large",
            bots: [
                BotDescription(id: bot, name: "Jarvis"), BotDescription(id: try #require(BotID("b2")), name: "Friday"),
            ],
            pairingRequired: true
        )
        let identity = GatewayIdentity(
            fingerprint: fingerprint,
            name: told.name,
            dialect: .optaplus,
            bots: told.bots,
            leaf: pin
        )
        try await running { connections in
            var attempts = dialer.makeAttempts()
            _ = try await #require(await attempts.next()).connect(.leaf(pin), told: told)
            await wait(for: connections) { $0.isConnected }
            await wait(forMap: { $0.contains { $0.paths.contains { $0.outcome?.identity == identity } } })
            await constellation.apply([
                .endpointAdded(elsewhere, .local), .probed(elsewhere, .gateway(identity)),
                .liveness(elsewhere, .answering),
            ])
            await constellation.apply([.probed(elsewhere, .gateway(identity))])
            let row = try #require(await constellation.gateways.first { $0.paths.count == 2 })
            #expect(row.flags.isEmpty)
            #expect(row.bots.count == 2)
        }
    }

    /// Nobody asks where a session lives: it says that its gateway shows a certificate again which the last probe has found
    /// without, or else what answered in between would be the measure of the row.
    @Test func aSessionReplacesWhatAProbeHasFoundWithoutTLS() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            _ = try await #require(await attempts.next()).connect(.leaf(pin))
            await wait(for: connections) { $0.isConnected }
            try await settleMap(of: connections)
            await constellation.apply(answer(at: endpoint, nil))
            try await settle { await connections.rows.path(at: endpoint)?.outcome?.identity?.leaf == nil }
            let grant = GrantedSession(
                endpoint: endpoint,
                leaf: pin,
                tick: nil,
                deviceToken: nil,
                told: nil,
                roundTrip: .milliseconds(2),
                ask: { method, _, _ in ScriptedDialer.Attempt.answer(to: method) }
            )
            await connections.reportIdentity(grant, of: credential)
            await wait(forMap: { rows in
                rows.contains { row in
                    row.flags.isEmpty && row.paths.map(\.proof) == [.pinnedLeaf]
                        && row.paths.first?.outcome?.identity?.leaf == pin
                }
            })
        }
    }

    // MARK: Readers

    /// Whoever asks endpoints learns from the map that a session answers at one, and which leaf it has to show, and that
    /// this is over when the gateway is unpaired.
    @Test func whoeverAsksEndpointsLearnsOfSessionsAndPins() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            _ = try await #require(await attempts.next()).connect(.leaf(pin))
            var notices = constellation.endpointNotices.makeAsyncIterator()
            while let notice = await notices.next() {
                if notice.endpoint == endpoint, notice.session == .answering, notice.pin == pin { break }
            }
            try store.moveToBin(pairing.id, reason: .forgotten, at: 0)
            while let notice = await notices.next() {
                if notice.endpoint == endpoint, notice.session == nil, notice.pin == nil { break }
            }
        }
    }

    /// A gateway that is unpaired takes along no pin of its neighbour behind the same front, which shows the same leaf.
    @Test func theNeighbourBehindTheSameFrontKeepsItsPin() async throws {
        let next = Endpoint(address: endpoint.address, port: endpoint.port + 1)
        let (other, id) = (try #require(GatewayFingerprint("def")), CredentialID())
        let neighbour = StoredPairing(
            gatewayID: GatewayID.fingerprint(other).description,
            fingerprint: other,
            name: "Neighbour",
            dialect: .optaplus,
            trust: .pinned(pin),
            endpoints: [next],
            pairedAt: 0,
            bots: [StoredBot(id: bot, name: "Friday")],
            credentials: [StoredCredential(id: id, bots: [bot], createdAt: 0, deviceID: "device")]
        )
        try store.insert(neighbour, secrets: [id: Secret("other")])
        try await running { connections in
            var attempts = dialer.makeAttempts()
            for _ in 0..<2 { _ = try await #require(await attempts.next()).connect(.leaf(pin)) }
            await wait { rows in rows.filter { $0.bots.first?.state == .connected }.count == 2 }
            try store.moveToBin(pairing.id, reason: .forgotten, at: 2)
            await wait { rows in rows.filter(\.isPaired).count == 1 }
            var notices = constellation.endpointNotices.makeAsyncIterator()
            var notice = await notices.next()
            while notice?.endpoint != next { notice = await notices.next() }
            #expect(notice?.pin == pin)
        }
    }

    /// Readers get an empty snapshot when the run ends, and the map the end of each endpoint's liveness.
    @Test func readersLearnThatAllSessionsHaveEnded() async throws {
        let connections = makeConnections()
        let (seen, see) = AsyncStream.makeStream(of: ConnectionEvent.self)
        let reader = Task { for await event in connections.events { see.yield(event) } }
        let running = Task { try? await connections.run() }
        var attempts = dialer.makeAttempts()
        _ = try await #require(await attempts.next()).connect(.leaf(pin))
        var events = seen.makeAsyncIterator()
        while let event = await events.next() {
            if case .changed(let session) = event, session.detail.isConnected { break }
        }
        running.cancel()
        while let event = await events.next(), event != .snapshot([]) {}
        reader.cancel()
        await running.value
        #expect(sessionReports.last == .some(nil))
    }

    /// A session that is replaced by another one at the same endpoint does not end the endpoint's liveness.
    @Test func aHandOverAtOneEndpointIsNoEndOfItsSession() async throws {
        try await running { connections in
            var attempts = dialer.makeAttempts()
            _ = try await #require(await attempts.next()).connect(.leaf(pin))
            await wait(for: connections) { $0.isConnected }
            // Without a sign of life the session is pinged, and is then suspect.
            try await turnToDeadline(of: connections)
            try await turnToDeadline(of: connections)
            let successor = try #require(await attempts.next())
            #expect(successor.call.path.endpoint == endpoint)
            _ = try await successor.connect(.leaf(pin))
            #expect(await connections.sessions.first?.latency == .milliseconds(2))
            try await connections.disconnect(pairing.id)
            await wait(for: connections) { $0 == .stopped }
        }
        let reports = sessionReports
        #expect(reports.count { $0 == nil } == 1 && reports.last == .some(nil), "\(reports)")
        // Silence takes no time that could be taken for an answer.
        #expect(reports.contains(.suspect))
        #expect(
            !mapEvents.all.contains {
                if case .sessionLiveness(_, .suspect, roundTrip: _?) = $0 { true } else { false }
            }
        )
    }

    /// The liveness of the endpoint as its sessions have reported it to the map.
    private var sessionReports: [Liveness?] {
        mapEvents.all.compactMap { event -> Liveness?? in
            guard case .sessionLiveness(endpoint, let liveness, roundTrip: _) = event else { return nil }
            return .some(liveness)
        }
    }

    /// Turns the clock to the time at which something is due in the session, and waits until that has happened.
    private func turnToDeadline(of connections: Connections) async throws {
        let due = try #require(await connections.schedule.deadlines[credential])
        clock.turn(by: due - clock.now)
        try await settle { await connections.schedule.deadlines[credential] != due }
    }

    // MARK: Paths

    /// A gateway without a fingerprint is followed to another address and port by its pinned leaf, once it is known that
    /// nothing answers at its own any more.
    @Test func aGatewayWithoutAFingerprintIsFollowedByItsLeaf() async throws {
        try store.moveToBin(pairing.id, reason: .forgotten, at: 2)
        var silent = pairing
        silent = StoredPairing(
            gatewayID: GatewayID.candidate(.endpoint(endpoint)).description,
            name: "Claw",
            dialect: .openClaw,
            trust: .pinned(pin),
            endpoints: [endpoint],
            pairedAt: 0,
            bots: silent.bots,
            credentials: [StoredCredential(id: CredentialID(), bots: [], createdAt: 0, deviceID: "device")]
        )
        try store.insert(silent, secrets: [silent.credentials[0].id: Secret("t0ken")])
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let first = try #require(await attempts.next())
            first.fail()
            await wait(for: connections) { if case .waiting = $0 { true } else { false } }
            for (place, leaf) in [(Endpoint(address: endpoint.address, port: 9), otherLeaf), (elsewhere, pin)] {
                let identity = GatewayIdentity(fingerprint: nil, name: "Claw", dialect: .openClaw, leaf: leaf)
                await constellation.apply([
                    .endpointAdded(place, .local), .probed(place, .gateway(identity)), .liveness(place, .answering),
                ])
            }
            await constellation.apply([.endpointAdded(endpoint, .local), .probed(endpoint, .nothing(.refused))])
            var found = try #require(await attempts.next())
            while found.call.path.endpoint == endpoint {
                found.fail()
                found = try #require(await attempts.next())
            }
            #expect(found.call.path.endpoint == elsewhere)
        }
    }

    /// The check right before sending refuses an unencrypted token for a remote endpoint to which the user has not
    /// consented.
    @Test func nothingIsSentInClearToWhatAZoneAloneKnows() throws {
        let home = try #require(
            NetworkObservation(
                prefix: .v4(IPv4Address(bits: 0x0A00_0000)),
                prefixLength: 24,
                router: .at([2, 0, 0, 0, 0, 1]),
                gateway: .at([2, 0, 0, 0, 0, 9])
            ).homeNetwork
        )
        let network = NetworkObservation(
            prefix: home.prefix,
            prefixLength: home.prefixLength,
            router: .at([2, 0, 0, 0, 0, 1]),
            gateway: .at([2, 0, 0, 0, 0, 9])
        )
        var plain = pairing
        plain.trust = .lan(home)
        func decision(_ endpoint: Endpoint, _ reach: Reach, isTyped: Bool = false) -> TrustDecision {
            let path = SessionPath(place: .endpoint(endpoint), reach: reach, policy: .lan(home))
            return Connections.decision(path, plain, .plain, endpoint, network, isTyped: isTyped)
        }
        #expect(decision(elsewhere, .local) == .allowed)
        #expect(decision(elsewhere, .remote) == .refused(.publicAddress))
        #expect(decision(endpoint, .remote) == .allowed)
        // The one token of a gateway goes nowhere without TLS unless it was typed for that, and then to its own place alone.
        plain.dialect = .openAgents
        #expect(decision(elsewhere, .local, isTyped: true) == .refused(.oneTokenInClear))
        plain.trust = .sameAddress(home)
        #expect(decision(endpoint, .local) == .refused(.oneTokenInClear))
        #expect(decision(endpoint, .local, isTyped: true) == .allowed)
        let outside = Endpoint(address: .v4(IPv4Address(bits: 0xCB00_7109)), port: 3_000)
        #expect(decision(outside, .local, isTyped: true) == .refused(.publicAddress))
        plain.dialect = .optaplus
        // The present trust of the pairing counts, not that of the path.
        plain.trust = .pinned(pin)
        #expect(decision(endpoint, .remote) == .refused(.notTLS))
    }

    /// The token of a gateway without TLS that has one for all devices is not stored: without one that was typed it is not even
    /// sought, and the reason says how to give it.
    @Test(arguments: [true, false]) func aTokenThatIsNotStoredIsTyped(isTyped: Bool) async throws {
        let network = NetworkObservation(
            prefix: .v4(IPv4Address(bits: 0x0A00_0000)),
            prefixLength: 24,
            router: .at([2, 0, 0, 0, 0, 1]),
            gateway: .at([2, 0, 0, 0, 0, 9])
        )
        let home = try #require(network.homeNetwork)
        let secret = Secret("typed")
        try store.update(pairing.id) { pairing in
            pairing.dialect = .openAgents
            pairing.fingerprint = nil
            pairing.trust = .sameAddress(home)
        }
        try store.replaceSecret(Secret(""), of: credential, in: pairing.id, at: 0)
        let typed = isTyped ? [pairing.id: secret] : [:]
        let known: @Sendable (IPAddress) -> NetworkObservation? = { _ in network }
        try await running(in: known, typed: typed) { connections in
            guard isTyped else {
                await wait(for: connections) { if case .failed = $0 { true } else { false } }
                let reason = await connections.sessions.first?.reason ?? ""
                let command = "clawradar connect \("\(pairing.id)".prefix(8)) \(StoredPairing.typingOptions)"
                #expect(reason.hasSuffix(command), "\(reason)")
                return
            }
            var attempts = dialer.makeAttempts()
            let attempt = try #require(await attempts.next())
            #expect(try await attempt.connect(.plain) == secret)
        }
    }

    /// The check right before sending: a certificate is that of a front, and the one token of a gateway does not follow it
    /// to another port or path. Its remote URL came with the pairing, and is a place of its own.
    @Test func theOneTokenOfAGatewayStaysAtItsPlace() {
        var one = pairing
        one.dialect = .openAgents
        one.remoteURL = "wss://10.0.0.9:443/"
        func decision(_ endpoint: Endpoint, _ pairing: StoredPairing) -> TrustDecision {
            let path = SessionPath(place: .endpoint(endpoint), reach: .local, policy: .pinned(pin))
            return Connections.decision(path, pairing, .leaf(pin), endpoint, nil)
        }
        let remote = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0009)), port: 443)
        let port = Endpoint(address: endpoint.address, port: 4_000)
        let address = Endpoint(address: elsewhere.address, port: endpoint.port)
        #expect(decision(endpoint, one) == .allowed && decision(remote, one) == .allowed)
        #expect(decision(port, one) == .moved(.port) && decision(address, one) == .allowed)
        #expect(decision(port, pairing) == .allowed && decision(address, pairing) == .allowed)
    }

    /// Whoever hangs up on the token at a place where the pairing was never connected says nothing of the token, but that
    /// another gateway may be there.
    @Test func whoHangsUpElsewhereIsAnother() {
        var one = pairing
        one.dialect = .openAgents
        let refusal = SessionRefusal(dialect: .openAgents, reason: .hungUp, credential: .deviceToken)
        func judged(_ endpoint: Endpoint) -> SessionFailure {
            let path = SessionPath(place: .endpoint(endpoint), reach: .local, policy: .pinned(pin))
            return Connections.judged(.refused(refusal), on: path, one)
        }
        #expect(judged(elsewhere) == .blocked(.moved(.gateway)))
        #expect(judged(endpoint) == .refused(refusal))
    }

    /// The address outside of this network may lead to another gateway: what that says of the token ends no pairing, until
    /// a session was established there; from then on the same words do.
    @Test(arguments: ["wss://gateway.example:8443/a", "wss://10.0.0.9:8443/a"])
    func whoRevokesOutsideIsAnotherUntilASessionWasThere(url: String) throws {
        var one = pairing
        one.remoteURL = url
        let address = try #require(GatewayURL(url))
        let path =
            address.address.map {
                SessionPath(
                    place: .endpoint(Endpoint(address: $0, port: 8_443, resource: "/a")),
                    reach: .remote,
                    policy: .pinned(pin)
                )
            }
            ?? SessionPath(
                place: .host("gateway.example", port: 8_443),
                reach: .remote,
                resource: "/a",
                policy: .certified(host: "gateway.example")
            )
        var other = path
        other.resource = "/b"
        for reason in [SessionRefusal.Reason.notPaired, .revoked] {
            let refusal = SessionRefusal(dialect: .optaplus, reason: reason, credential: .deviceToken)
            #expect(Connections.judged(.refused(refusal), on: path, one) == .blocked(.moved(.gateway)))
            var places = ConnectedPlaces()
            places.note(path, of: one.id)
            #expect(Connections.judged(.refused(refusal), on: path, one, places) == .refused(refusal))
            #expect(Connections.judged(.refused(refusal), on: path, pairing, ConnectedPlaces()) != .refused(refusal))
            // As the store keeps it, for the next process.
            var known = one
            known.connectedURL = url
            #expect(Connections.judged(.refused(refusal), on: path, known) == .refused(refusal))
            known.connectedURL = "wss://other.example:8443/a"
            #expect(Connections.judged(.refused(refusal), on: path, known) == .blocked(.moved(.gateway)))
            if case .host = path.place {
                #expect(Connections.judged(.refused(refusal), on: other, one, places) != .refused(refusal))
            }
        }
        // A lock-out or an approval ends nothing, and is that of whoever answers.
        let busy = SessionRefusal(dialect: .optaplus, reason: .rateLimited, credential: .deviceToken)
        #expect(Connections.judged(.refused(busy), on: path, one) == .refused(busy))
    }

    /// A gateway that is trusted by its name was paired there, whatever addresses the name has since.
    @Test func aPairingThatIsTrustedByNameEndsThere() {
        var one = pairing
        one.trust = .certified(host: "gateway.example")
        let refusal = SessionRefusal(dialect: .optaplus, reason: .notPaired, credential: .deviceToken)
        func judged(port: UInt16) -> SessionFailure {
            let place = SessionPath.Place.host("gateway.example", port: port)
            return Connections.judged(
                .refused(refusal),
                on: SessionPath(place: place, reach: .local, policy: one.trust),
                one
            )
        }
        #expect(judged(port: endpoint.port) == .refused(refusal))
        #expect(judged(port: 8_443) == .blocked(.moved(.gateway)))
    }

    /// A session outside of this network is remembered, also by the next process; a refusal before it ends no pairing.
    @Test func whereASessionWasOutsideIsRemembered() async throws {
        let url = "wss://gateway.example:8443/"
        try store.update(pairing.id) {
            $0.remoteURL = url
            $0.endpoints = []
        }
        let refusal = SessionRefusal(dialect: .optaplus, reason: .notPaired, credential: .deviceToken)
        let shown = TrustAttempt.Shown.certified(host: "gateway.example", leaf: otherLeaf)
        try await running { connections in
            var attempts = dialer.makeAttempts()
            let first = try #require(await attempts.next())
            #expect(first.call.path.description == "gateway.example:8443")
            #expect(await first.open(shown))
            first.fail(.refused(refusal))
            await wait(for: connections) { $0 == .moved(.gateway) }
            #expect(try store.bin().isEmpty)

            await clock.turnToNext()
            let second = try #require(await attempts.next())
            _ = try await second.connect(shown)
            await wait(for: connections) { $0.isConnected }
            try await settle { try store.pairing(pairing.id)?.connectedURL == url }
            #expect(try store.pairing(pairing.id)?.endpoints == [])
        }
    }
}
