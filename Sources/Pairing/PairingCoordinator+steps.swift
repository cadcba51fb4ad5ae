internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import HostSystem
internal import Scanning

/// The steps of a pairing: each leads to one event.
extension PairingCoordinator {
    /// - Parameter waits: See ``PairingConnection/waits``.
    func perform(
        _ action: PairingMachine.Action,
        _ target: PairingTarget,
        waits: @escaping @Sendable (SessionRefusal) async -> Bool
    ) async -> PairingMachine.Event {
        switch action {
        case .resolve: return .resolved(await resolve(target))
        case .identify(let endpoints):
            do throws(PairingError) {
                return .identified(try await identify(target, at: endpoints))
            } catch {
                return .failed(error)
            }
        case .pair(let attempt):
            // A gateway whose grant cannot be withdrawn is not waited for after a cancellation.
            guard attempt.canBeTakenBack else { return await pair(attempt, waits) }
            return await outlivingCancellation { await self.pair(attempt, waits) } ?? .cancelled
        case .retry(let pause, let least):
            await wait(pause, atLeast: least)
            return .retryDue
        case .store(let grant, let attempt):
            do throws(PairingError) {
                let id = try await stored { _ throws(StoreError) in try self.keep(grant, attempt) }
                if let pairing = try? await stored({ store throws(StoreError) in try store.pairing(id) }) {
                    await report(pairing)
                }
                return .stored(id)
            } catch {
                _ = await outlivingCancellation { await self.withdraw(grant, attempt) }
                return .failed(error)
            }
        case .withdrawSurplus(let surplus, let attempt):
            _ = await outlivingCancellation { await self.withdraw(surplus, attempt) }
            return .withdrawn
        case .report, .withdraw, .stop: return .retryDue
        }
    }

    /// Waits for a time, or until the user wants to ask again after the least time. If the task is cancelled, this ends
    /// early, and the caller notices.
    private func wait(_ pause: Duration, atLeast least: Duration) async {
        try? await clock.sleep(for: least)
        let rest = pause - least
        guard rest > .zero, !Task.isCancelled else { return }
        let (wishes, wish) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = UInt64.random(in: .min ... .max)
        waiters[id] = wish
        defer { waiters[id] = nil }
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { [clock] in try? await clock.sleep(for: rest) }
            tasks.addTask { for await _ in wishes { return } }
            await tasks.next()
            tasks.cancelAll()
        }
    }

    func resolve(_ target: PairingTarget) async -> [Endpoint] {
        func endpoints(_ host: String, _ port: UInt16) async -> [Endpoint] {
            await configuration.addresses(of: host).prefix(16).map {
                Endpoint(address: $0, port: port, resource: target.resource, serverName: ServerName(host))
            }
        }
        return switch target.place {
        case .endpoints(let endpoints): await named(Array(endpoints.prefix(16)), of: target)
        case .host(let host, let port): await endpoints(host, port)
        case .remote(let url): await endpoints(url.host, url.port)
        }
    }

    /// Returns the endpoints of a row of the map, by the name by which the very gateway of this row was paired at one of
    /// them: what is advertised has no name. If the map has not recognized it, it is the one that was paired there, if it may
    /// be that. Another gateway's name, which may be that of another one behind the same front, is none; and with several
    /// names, nobody can tell which is meant.
    private func named(_ endpoints: [Endpoint], of target: PairingTarget) async -> [Endpoint] {
        guard let row = target.gatewayID,
            let pairings = try? await stored({ store throws(StoreError) in try store.pairings() })
        else { return endpoints }
        var own = pairings.filter { gatewayID(of: $0) == row }
        if own.isEmpty {
            let there = pairings.filter { $0.endpoints.contains { endpoints.contains($0.unnamed) } }
            own = there.count == 1 ? there.filter(target.mayBeGateway) : []
        }
        let places = own.flatMap(\.endpoints).filter { $0.serverName != nil && endpoints.contains($0.unnamed) }
        return Set(places.map(\.serverName)).count == 1 ? endpoints.map(places.naming) : endpoints
    }

    // MARK: Who is it

    func identify(
        _ target: PairingTarget,
        at endpoints: [Endpoint]
    ) async throws(PairingError) -> PairingOffer {
        if let host = target.hostName, target.transports != .plainOnly {
            do throws(PairingError) {
                return try await identifyCertified(target, at: endpoints, host: host)
            } catch {
                // Outside of this network, only a certificate proves a host, unless the link has named one.
                if case .remote = target.place, target.leaf == nil { throw error }
            }
        }
        let probed = GatewayProbeTarget(
            endpoints: endpoints,
            rules: TargetRules(origin: .user),
            // What a row speaks is known, what listens at a place that was typed in is not.
            hints: [
                ProbeHint(
                    expected: target.dialect,
                    transports: target.transports,
                    isOfPlace: target.gatewayID == nil
                )
            ],
            pin: target.leaf
        )
        let report = await GatewayProbe(configuration.probe).run(probed)
        guard let dialect = report.verdict.dialect, let path = report.path else {
            if case .nothing(let reason) = report.verdict {
                if case .wrongLeaf = reason {
                    throw PairingError(.anotherGateway, "expected the certificate of this gateway, found another one")
                }
                throw PairingError(.notAGateway, "expected a gateway, found none: \(report.verdict.summary)")
            }
            throw PairingError(.notAGateway, "expected a gateway, found \(report.verdict.summary)")
        }
        var payload: DiscoverPayload?
        switch report.verdict {
        case .optaplus(let found): payload = found
        case .clawline(let version?): try Self.check(version)
        case .clawline(nil), .openClaw, .bridge, .openAgents, .other, .nothing: break
        }
        let network = path.leaf == nil ? await configuration.settledNetwork(path.endpoint.address) : nil
        return try await offer(target, dialect, payload, path, certifiedHost: nil, network)
    }

    func offer(
        _ target: PairingTarget,
        _ dialect: GatewayDialect,
        _ payload: DiscoverPayload?,
        _ path: GatewayProbePath,
        certifiedHost: String?,
        _ network: NetworkObservation?
    ) async throws(PairingError) -> PairingOffer {
        let fingerprint = payload?.fingerprint
        var remote = target.remoteURL
        if case .remote(let url) = target.place { remote = url }
        let rows = await constellation?.gateways ?? []
        let name = payload?.name ?? target.name ?? PairingOffer.advertisedName(at: path.endpoint, among: rows)
        let gatewayID =
            target.gatewayID ?? fingerprint.map(GatewayID.fingerprint) ?? .candidate(.endpoint(path.endpoint))
        if let remote, remote.address != nil, path.leaf == nil, certifiedHost == nil {
            let message =
                "expected a host name for outside of this network, found an address: without TLS here there is no "
            throw PairingError(.notAllowed, message + "certificate that would prove this gateway there")
        }
        func offer(_ pairing: StoredPairing?) -> PairingOffer {
            PairingOffer(
                gatewayID: gatewayID,
                name: name ?? "\(path.endpoint)",
                dialect: dialect,
                fingerprint: fingerprint,
                bots: payload?.bots ?? [],
                endpoint: path.endpoint,
                leaf: path.leaf,
                hostName: target.hostName,
                certifiedHost: certifiedHost,
                network: network,
                pairing: pairing,
                remoteURL: remote
            )
        }
        let pairings = try await stored { store throws(StoreError) in try store.pairings() }
        let stranger = offer(nil)
        var found = offer(pairings.first { stranger.isGateway(of: $0) })
        found.isFromZoneAlone = target.isFromZoneAlone
        found.proof = found.proof(for: target)
        found.isAtGivenAddress = found.isAtGivenAddress(of: target, pairings)
        found.conflict = found.pairing == nil ? found.conflict(with: pairings) : nil
        return found
    }

    // MARK: Asking

    func connection(_ attempt: PairingAttempt) -> PairingConnection {
        let offer = attempt.offer
        let transport: GatewayTransport =
            if let host = offer.certifiedHost {
                .certified(host: host)
            } else if let leaf = offer.leaf {
                .tls(pin: leaf)
            } else {
                .plain
            }
        return connection(
            [offer.endpoint],
            transport,
            attempt.policy,
            known: [offer.endpoint],
            fingerprint: offer.dialect.tellsFingerprint ? offer.fingerprint : nil
        )
    }

    func connection(
        _ endpoints: [Endpoint],
        _ transport: GatewayTransport,
        _ policy: TrustPolicy,
        known: [Endpoint],
        fingerprint: GatewayFingerprint?
    ) -> PairingConnection {
        PairingConnection(
            endpoints: endpoints,
            transport: transport,
            policy: policy,
            fingerprint: fingerprint,
            knownEndpoints: known,
            limits: configuration.limits,
            time: configuration.now(),
            network: configuration.network,
            settledNetwork: configuration.settledNetwork
        )
    }

    private func pair(
        _ attempt: PairingAttempt,
        _ waits: @escaping @Sendable (SessionRefusal) async -> Bool
    ) async -> PairingMachine.Event {
        guard let dialect = PairingDialects.all[attempt.offer.dialect] else {
            return .failed(PairingError(.unsupported, "expected a dialect to pair in, found none"))
        }
        do {
            // What can fail here is tried before the gateway grants anything.
            try await store.performToEnd { _ throws(StoreError) in try self.checkStore(for: attempt) }
            if let code = attempt.setupCode { try await check(code, attempt) }
            let device = try await device(for: attempt)
            if let wait = await timeToWait(attempt, as: device) {
                let reason = SessionRefusal.Reason.rateLimited
                let refusal = SessionRefusal(dialect: .clawline, reason: reason, credential: .none, retryAfter: wait)
                return .refused(refusal)
            }
            var connection = connection(attempt)
            connection.waits = waits
            return .granted(try await dialect.pair(attempt, as: device, through: connection))
        } catch let refusal as SessionRefusal {
            return .refused(refusal)
        } catch let error as PairingError {
            return .failed(error)
        } catch let error as StoreError {
            return .failed(PairingError(.notStored, error.description, storeError: error))
        } catch let error as GatewayConnectionError {
            return switch error.code {
            case .wrongLeaf, .untrusted:
                .failed(PairingError(.anotherGateway, "expected the certificate that was shown, found another one"))
            case .cancelled: .cancelled
            default: .notReached(error.message)
            }
        } catch {
            return .notReached("expected an answer, found none")
        }
    }

    /// Returns the time for which a gateway is not asked, since the processes of this device have asked as often as it allows;
    /// `nil` if it is asked now, which is counted.
    private func timeToWait(_ attempt: PairingAttempt, as device: DeviceDescription) async -> Duration? {
        guard attempt.offer.dialect == .clawline else { return nil }
        let request = CountedRequest.pair(as: device.id)
        let now = configuration.now
        // Where nothing can be counted, the gateway still does.
        return (try? await store.perform { store throws(StoreError) in try store.take(request, now: now) }) ?? nil
    }

    /// Throws if a grant could not be stored. For the thread of the store.
    private nonisolated func checkStore(for attempt: PairingAttempt) throws(StoreError) {
        guard let before = attempt.offer.pairing?.id else { return try store.checkWritable() }
        do throws(StoreError) {
            try store.checkWritable(in: before)
        } catch {
            // It has gone to the bin meanwhile, so the grant becomes a pairing of its own.
            guard error.code == .notFound else { throw error }
            try store.checkWritable()
        }
    }

    /// Throws unless a setup code is for the gateway of an attempt.
    private func check(_ code: SetupCode, _ attempt: PairingAttempt) async throws(PairingError) {
        let offer = attempt.offer
        do throws(SetupCode.Problem) {
            try code.checkFresh(at: configuration.now())
        } catch {
            throw PairingError(.invalidInvitation, "\(error)")
        }
        if let leaf = code.leaf, leaf != offer.leaf {
            let message =
                "expected the certificate that the setup code names, found another one, or none. It was not sent"
            throw PairingError(.anotherGateway, message)
        }
        if code.urls.contains(where: { $0.names(offer, or: attempt.endpoints, addresses: []) }) { return }
        for url in code.urls where url.address == nil {
            let addresses = await configuration.resolve(url.host)
            if url.names(offer, or: attempt.endpoints, addresses: addresses) { return }
        }
        let places = code.urls.map { DisplayText("\($0)", limit: 128).text }.joined(separator: ", ")
        throw PairingError(
            .anotherGateway,
            "expected the gateway of the setup code, \(places), found \(offer.place). The code was not sent: pair with the "
                + "address that it names"
        )
    }

    /// Reports to the map what is paired, with all that the network shows of its row: whoever else reports it does so only
    /// when something changes.
    func report(_ pairing: StoredPairing) async {
        guard let constellation else { return }
        var paired = PairedGateways()
        var news = paired.take([pairing])
        if let id = paired.row(of: pairing.id), let row = await constellation.gateway(id) { news += paired.look(row) }
        await constellation.apply(news)
    }

    func gatewayID(of pairing: StoredPairing) -> GatewayID? {
        pairing.rowID(interfaces: HostInterface.all.map(\.interface))
    }
}
