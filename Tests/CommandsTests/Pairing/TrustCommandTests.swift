import Agent
import ArgumentParser
import DNSSD
import GatewayProtocol
import Pairing
import Scanning
import Testing

@testable import Commands

/// Consent to a gateway without TLS, which cannot prove its identity, applies only to an address that the user has
/// named or seen.
@Suite(.timeLimit(.minutes(1))) struct TrustCommandTests {
    private func plain() throws -> StoredPairing {
        let home = HomeNetwork(
            prefix: try #require(IPAddress("10.0.0.0")),
            prefixLength: 24,
            router: [2, 0, 0, 0, 0, 1],
            gateway: [2, 0, 0, 0, 0, 2]
        )
        return try Pairings.pairing("Old Pad", id: "c", fingerprint: "fp-pad", trust: .sameAddress(home))
    }

    /// The earlier addresses of a gateway without TLS are dropped when the user consents to a new one: another host may
    /// have them by now.
    @Test(arguments: [PlainTrust.address, .lan])
    func placesBeforeAreTrustedNoMore(extent: PlainTrust) throws {
        var pairing = try plain()
        guard case .sameAddress(let home) = pairing.trust else { throw CancellationError() }
        let place = Endpoint(address: try #require(IPAddress("10.0.0.9")), port: 3_000)
        let policy: TrustPolicy = extent == .lan ? .lan(home) : .sameAddress(home)
        let change = TrustChange(policy: policy, endpoint: place)
        change.apply(to: &pairing)
        #expect(pairing.endpoints == [place])
        #expect(pairing.trust == policy)
        #expect(change.text.hasPrefix(" at 10.0.0.9:3000: no TLS"))
    }

    /// Consent to a new certificate keeps the addresses, since the certificate proves the identity at any of them.
    @Test func aNewCertificateLeavesThePlaces() throws {
        var pairing = try plain()
        let before = pairing.endpoints
        TrustChange(policy: .pinned(try #require(LeafFingerprint(String(repeating: "5f", count: 32))))).apply(
            to: &pairing
        )
        #expect(pairing.endpoints == before)
    }

    /// A gateway whose fingerprint is that of its certificate goes by the new one from now on: under the old one, nobody
    /// answers any more, and it would have two rows for ever.
    @Test func aNewCertificateIsANewFingerprintWhereThatIsTheSame() throws {
        let (old, new) = (String(repeating: "5f", count: 32), String(repeating: "6a", count: 32))
        let policy = TrustPolicy.pinned(try #require(LeafFingerprint(new)))
        var pairing = try Pairings.pairing("Home", id: "a", fingerprint: old)
        TrustChange(policy: policy).apply(to: &pairing)
        #expect(pairing.fingerprint == GatewayFingerprint(new))
        #expect(pairing.gatewayID == "fingerprint:\(new)")
        // Any other fingerprint is the gateway's own, and stays.
        pairing = try Pairings.pairing("Home", id: "a", fingerprint: "fp-home")
        TrustChange(policy: policy).apply(to: &pairing)
        #expect(pairing.fingerprint == GatewayFingerprint("fp-home"))
        #expect(pairing.trust == policy)
    }

    @Test(arguments: [
        ("192.168.1.60:3000", true), ("192.168.1.60", true), ("[2001:db8::1]:3000", true), ("fe80::1", true),
        ("192.168.1.60:443/kitchen/", true), ("garbage", false), ("pad.local:3000", false),
        ("192.168.1.60:99999", false), ("192.168.1.60:0", false),
        ("", false),
    ])
    func aPlaceIsANumericAddress(text: String, isPlace: Bool) async throws {
        #expect(TrustCommand.isPlace(text) == isPlace)
        guard !isPlace else { return }
        try await StoreOfTool.with([try plain()]) { store in
            let result = try await store.run(["trust", "Old Pad", "--trust", "address", "--address", text])
            #expect(result.status == 64)
            #expect(result.errors.contains("numeric address"))
        }
    }

    /// The address that the user named is found among all paths of a row: a gateway with several addresses answers at
    /// each of them, and the named one need not be first.
    @Test func thePlaceThatWasNamedIsFoundAmongThePathsOfARow() throws {
        let pairing = try plain()
        let (first, second) = (try #require(IPAddress("10.0.0.8")), try #require(IPAddress("10.0.0.9")))
        let endpoints = [first, second].map { Endpoint(address: $0, port: 3_000) }
        let identity = GatewayIdentity(fingerprint: pairing.fingerprint, name: "Old Pad", dialect: pairing.dialect)
        var map = BotMap()
        _ = map.apply(.endpointAdded(endpoints[0], .local, entry: "pad"))
        _ = map.apply(.endpointAdded(endpoints[1], .local, entry: "pad"))
        for endpoint in endpoints { _ = map.apply(.probed(endpoint, .gateway(identity))) }
        let row = try #require(map.gateways.first)
        try #require(row.paths.count == 2)
        #expect(pairing.plainPlaces(in: [row]) == [endpoints[0]])
        #expect(pairing.plainPlaces(in: [row], at: "10.0.0.9:3000") == [endpoints[1]])
        #expect(pairing.plainPlaces(in: [row], at: "10.0.0.9") == [endpoints[1]])
        #expect(pairing.plainPlaces(in: [row], at: "10.0.0.7").isEmpty)

        // One that was paired by a name is asked by that at its new address, too, since it may be behind a front.
        let name = try #require(ServerName("pad.example"))
        var named = pairing
        named.endpoints = [Endpoint(address: first, port: 3_000, serverName: name)]
        let place = Endpoint(address: second, port: 3_000, serverName: name)
        #expect(named.plainPlaces(in: [row], at: "10.0.0.9") == [place])

        // Where it is known by its name, that is shown, and the address alone is enough.
        map = BotMap()
        _ = map.apply(.endpointAdded(place, .local))
        _ = map.apply(.probed(place, .gateway(identity)))
        for text in ["pad.example=10.0.0.9:3000", "10.0.0.9:3000", "10.0.0.9"] {
            #expect(TrustCommand.isPlace(text))
            #expect(named.plainPlaces(in: map.gateways, at: text) == [place])
        }
    }

    /// A gateway that tells no fingerprint is found at another address only where the user gives that whole; one that tells
    /// a fingerprint is another gateway there.
    @Test(arguments: [nil, "fp-other"]) func aGatewayWithoutAFingerprintIsWhereTheUserSays(told: String?) throws {
        var pairing = try plain()
        pairing.fingerprint = nil
        let endpoint = Endpoint(address: try #require(IPAddress("10.0.0.9")), port: 3_000)
        var map = BotMap()
        _ = map.apply(.endpointAdded(endpoint, .local, entry: "pad"))
        let identity = GatewayIdentity(
            fingerprint: told.flatMap { GatewayFingerprint($0) },
            name: "Pad",
            dialect: pairing.dialect
        )
        _ = map.apply(.probed(endpoint, .gateway(identity)))
        let rows = map.gateways
        try #require(rows.count == 1)
        let expected = told == nil ? [endpoint] : []
        #expect(pairing.plainPlaces(in: rows, at: "10.0.0.9:3000") == expected)
        #expect(pairing.plainPlaces(in: rows, at: "10.0.0.9").isEmpty)
        #expect(pairing.plainPlaces(in: rows).isEmpty)
        pairing.dialect = pairing.dialect == .clawline ? .optaplus : .clawline
        #expect(pairing.plainPlaces(in: rows, at: "10.0.0.9:3000").isEmpty)
    }

    /// An agent, which looks by itself, is not asked to trust a place that only this command can have found: the user would have
    /// agreed to it in vain. About a certificate nobody looks for anything.
    @Test(arguments: [
        (["--trust", "address"], true, true), (["--trust", "address"], false, false),
        (["--trust", "address", "--address", "10.0.0.9:3000"], true, false), ([], false, true),
    ])
    func anAgentIsAskedToTrustWhatItCanFind(options: [String], isUsual: Bool, isAsked: Bool) throws {
        #expect(try TrustCommand.parse(["Old Pad"] + options).asksAgent(if: isUsual) == isAsked)
    }

    /// Without a terminal to ask on and without `--address` the command fails, and its message names the option.
    @Test func whereNobodyCanBeAskedThePlaceIsNamed() async throws {
        try await StoreOfTool.with([try plain()]) { store in
            let result = try await store.run(["trust", "Old Pad", "--trust", "address", "--timeout", "0.2"])
            #expect(result.status == 64)
            #expect(result.errors.contains("--address"))
        }
    }
}
