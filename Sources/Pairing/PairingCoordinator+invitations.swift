internal import DNSSD
internal import GatewayClient
package import GatewayProtocol

/// The ways from an invitation to a target.
extension PairingCoordinator {
    /// The time for which a better address of a setup code is waited for once another one has answered.
    private static let preferenceTimeout = Duration.milliseconds(500)

    /// The most addresses of a host that are asked.
    private static let mostAddresses = 16

    /// Fetches the setup code behind a join URL, once: call it only after the user has agreed to the host.
    package func setupCode(behind url: JoinURL) async throws(PairingError) -> SetupCode {
        // Without TLS, a resolver that leads elsewhere would show the code to everybody on the way.
        let found = await configuration.addresses(of: url.host).filter { url.isSecure || $0.unmapped.isLoopback }
        let addresses = Array(found.prefix(Self.mostAddresses))
        guard !addresses.isEmpty else {
            let kind = url.isSecure ? "an address" : "an address of this host itself"
            throw PairingError(.notFound, "expected \(kind) for \(url.host), found none. Nothing was fetched")
        }
        do throws(JoinFetch.Failure) {
            return try await JoinFetch.run(url, at: addresses)
        } catch {
            throw PairingError(error, behind: url)
        }
    }

    /// Asks the addresses of a setup code what is there, all at once, and returns the target for the first of them that
    /// is a gateway. Nothing secret is sent.
    package func target(of code: SetupCode) async throws(PairingError) -> PairingTarget {
        do throws(SetupCode.Problem) {
            try code.checkFresh(at: configuration.now())
        } catch {
            throw PairingError(.invalidInvitation, "\(error)")
        }
        let known = await addresses(of: code.urls)
        let targets = zip(code.urls, known).filter { !$1.isEmpty }.map { url, addresses in
            (
                target: PairingTarget(code, at: url, addresses: addresses),
                endpoints: addresses.map(url.endpoint(at:))
            )
        }
        guard let first = targets.first else {
            throw PairingError(
                .notFound,
                "expected the address of a gateway in the setup code, found none that is known"
            )
        }
        guard targets.count > 1 else { return first.target }
        return await self.first(of: targets).map { targets[$0].target } ?? first.target
    }

    /// Returns the addresses of the hosts of URLs, in their order. All names are looked up at once: one that nobody
    /// answers for does not delay the others.
    private func addresses(of urls: [GatewayURL]) async -> [[IPAddress]] {
        let configuration = configuration
        return await withTaskGroup(of: (Int, [IPAddress]).self) { group in
            for (index, url) in urls.enumerated() {
                group.addTask {
                    (index, Array(await configuration.addresses(of: url.host).prefix(Self.mostAddresses)))
                }
            }
            return await group.reduce(into: Array(repeating: [], count: urls.count)) { $0[$1.0] = $1.1 }
        }
    }

    /// Returns the index of the first of several targets that answers as a gateway; `nil` if none does.
    private func first(of targets: [(target: PairingTarget, endpoints: [Endpoint])]) async -> Int? {
        let probe = GatewayProbe(configuration.probe)
        return await withTaskGroup(of: (Int?, isGateway: Bool).self) { group in
            for (index, (target, endpoints)) in targets.enumerated() {
                let probed = GatewayProbeTarget(
                    endpoints: endpoints,
                    rules: TargetRules(origin: .user),
                    hints: [ProbeHint(expected: target.dialect, transports: target.transports)],
                    pin: target.leaf
                )
                group.addTask { (index, await probe.run(probed).verdict.dialect != nil) }
            }
            var (best, open): (Int?, Set<Int>) = (nil, Set(targets.indices))
            for await (index, isGateway) in group {
                guard let index else { break }
                open.remove(index)
                if isGateway, best.map({ index < $0 }) ?? true {
                    if best == nil {
                        group.addTask { [clock] in
                            try? await clock.sleep(for: Self.preferenceTimeout)
                            return (nil, false)
                        }
                    }
                    best = index
                }
                if let best, !open.contains(where: { $0 < best }) { break }
                if open.isEmpty { break }
            }
            group.cancelAll()
            return best
        }
    }
}

extension PairingConfiguration {
    /// Returns the addresses of a host that somebody has named, as far as they are hosts: an invitation leads this device to
    /// no metadata service.
    func addresses(of host: String) async -> [IPAddress] {
        let found = if let address = IPAddress(host) { [address] } else { await resolve(host) }
        // Any port will do.
        return found.filter { TargetRules(origin: .user).refusal(of: Endpoint(address: $0, port: 1)) == nil }
    }
}

extension PairingTarget {
    /// Creates the target for an address of a setup code. What the code demands is kept: TLS where it says so, and its
    /// certificate; a code that names one is never used without TLS.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - url: One of its addresses.
    ///   - addresses: The addresses of its host.
    init(_ code: SetupCode, at url: GatewayURL, addresses: [IPAddress]) {
        let isOutside = !addresses.contains { $0.isLoopback || $0.isLocalNetwork }
        let place: Place =
            if url.isSecure, url.address == nil, isOutside {
                .remote(url)
            } else {
                .endpoints(addresses.map(url.endpoint(at:)))
            }
        self.init(
            place: place,
            hostName: url.address == nil ? url.host : nil,
            resource: url.resource,
            dialect: .openClaw,
            transports: url.isSecure || code.leaf != nil ? .tlsOnly : .plainOnly,
            leaf: code.leaf,
            leafSource: .link
        )
    }
}
