internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol

/// The question what a host is that has proved its name by a certificate which the system trusts. Nothing is sent to any
/// other host.
extension PairingCoordinator {
    /// Asks a certified host what it is.
    func identifyCertified(
        _ target: PairingTarget,
        at endpoints: [Endpoint],
        host: String
    ) async throws(PairingError) -> PairingOffer {
        let found: (dialect: GatewayDialect, payload: DiscoverPayload?, path: GatewayProbePath)
        do {
            found = try await answer(of: host, at: endpoints)
        } catch {
            if target.dialect == .openAgents, let path = await openAgentsPath(of: host, at: endpoints) {
                found = (.openAgents, nil, path)
            } else if let error = error as? PairingError {
                throw error
            } else {
                throw PairingError(.notAGateway, "expected a gateway, found none: \(error)")
            }
        }
        return try await offer(target, found.dialect, found.payload, found.path, certifiedHost: host, nil)
    }

    /// Asks it over a WebSocket, and where it has none there, as a Clawline provider.
    private func answer(
        of host: String,
        at endpoints: [Endpoint]
    ) async throws -> (GatewayDialect, DiscoverPayload?, GatewayProbePath) {
        let limits = configuration.limits
        do {
            let (path, outcome) = try await GatewayConversation.withConversation(
                to: endpoints,
                transport: .certified(host: host),
                limits: limits
            ) { gateway in
                (gateway.path, try await gateway.request("gateway.discover", params: .object([:])).outcome)
            }
            switch outcome {
            case .success(let payload): return (.optaplus, try DiscoverPayload(json: payload), path)
            case .failure(let failure) where failure.isConnectExpected: return (.openClaw, nil, path)
            case .failure:
                throw PairingError(.notAGateway, "expected a gateway, found something that refuses to say what it is")
            }
        } catch let error as GatewayConnectionError where error.code == .notUpgraded {
            let transport = GatewayTransport.certified(host: host)
            let (path, version) = try await ClawlineVersion.reply(at: endpoints, transport: transport, limits: limits)
            guard let version else {
                throw PairingError(.notAGateway, "expected a gateway, found a web server that is none")
            }
            try Self.check(version)
            return (.clawline, nil, path)
        }
    }

    /// Throws unless a Clawline provider speaks a version of its protocol that this device does.
    static func check(_ version: Int) throws(PairingError) {
        do throws(SessionRefusal) {
            try ClawlineVersion.check(version)
        } catch {
            throw .refused(error)
        }
    }

    /// Asks it whether it is a gateway of OpenAgents; `nil` if it is none. Only where one is expected, since the question may
    /// count as a wrong token.
    private func openAgentsPath(of host: String, at endpoints: [Endpoint]) async -> GatewayProbePath? {
        try? await GatewayConversation.withConversation(
            to: endpoints,
            transport: .certified(host: host),
            limits: configuration.limits,
            speaking: .openAgents
        ) { gateway in await gateway.isOpenAgents() ? gateway.path : nil }
    }
}
