import DNSSD
import GatewayProtocol
import Testing

/// The gateways that are like a paired one and stand in its place.
@Suite struct GatewayContestTests {
    private static let own = GatewayFingerprint("own")
    private static let other = GatewayFingerprint("other")

    private func leaf(_ byte: UInt8) throws -> LeafFingerprint {
        try #require(LeafFingerprint(bytes: Array(repeating: byte, count: 32)))
    }

    private func place(_ text: String = "10.0.0.1", name: String? = nil) throws -> Endpoint {
        Endpoint(
            address: try #require(IPAddress(text)),
            port: 443,
            serverName: name.flatMap { ServerName($0) }
        )
    }

    private func contest(
        _ policy: TrustPolicy,
        _ shown: TrustAttempt.Shown,
        at endpoint: Endpoint? = nil,
        telling told: GatewayFingerprint? = own,
        _ likeness: GatewayLikeness = .place,
        isProved: Bool = false
    ) throws -> GatewayContest? {
        let terms = PairedTerms(policy, .optaplus, fingerprint: Self.own, endpoints: [try place()])
        let attempt = TrustAttempt(shown: shown, endpoint: try endpoint ?? place(), knownEndpoints: terms.endpoints)
        return terms.contest(by: attempt, telling: told, likeness, isProved: isProved)
    }

    /// A pairing by a certificate or a certified host is contested by whoever has not given that proof; one without TLS has none.
    @Test func whoeverLacksTheProofContests() throws {
        let (pin, new) = (try leaf(1), try leaf(2))
        let home = try #require(NetworkObservation.ownHost.homeNetwork)
        let cases: [(TrustPolicy, TrustAttempt.Shown, Bool)] = [
            (.pinned(pin), .leaf(pin), false), (.pinned(pin), .certified(host: "a", leaf: pin), false),
            (.pinned(pin), .leaf(new), true), (.pinned(pin), .certified(host: "a", leaf: new), true),
            (.pinned(pin), .plain, true), (.certified(host: "a"), .certified(host: "b", leaf: new), false),
            (.certified(host: "a"), .leaf(new), true), (.certified(host: "a"), .plain, true),
            (.sameAddress(home), .leaf(new), false), (.lan(home), .plain, false),
        ]
        for (policy, shown, isContested) in cases {
            let found = try contest(policy, shown)
            #expect((found != nil) == isContested, "\(policy) \(shown)")
            if let found { #expect(found.expected == (policy == .pinned(pin) ? pin : nil)) }
        }
    }

    /// Whoever says that it is another one contests only the last place of the paired gateway or its host, and neither with a
    /// proof of its own there.
    @Test func anotherOneContestsThePlaceAlone() throws {
        let (policy, shown) = (TrustPolicy.pinned(try leaf(1)), TrustAttempt.Shown.leaf(try leaf(2)))
        let away = try place("10.0.0.9")
        let cases: [(Endpoint, GatewayLikeness, isProved: Bool, Bool)] = [
            (try place(), .place, false, true), (try place(), .place, true, false), (away, .row, false, false),
            (away, .host, false, true), (away, .host, true, false),
        ]
        for (endpoint, likeness, isProved, isContested) in cases {
            let found = try contest(
                policy,
                shown,
                at: endpoint,
                telling: Self.other,
                likeness,
                isProved: isProved
            )
            #expect((found != nil) == isContested && found?.isAnother != false, "\(endpoint) \(likeness)")
        }
        // One that does not say so is the paired one with another certificate, wherever it is.
        #expect(try contest(policy, shown, at: away, .fingerprint, isProved: true)?.isAnother == false)
    }

    /// Behind a front, another gateway may be at the place by a name: its own proof tells it apart.
    @Test func byAnotherNameItMayBeAnother() throws {
        let (policy, shown) = (TrustPolicy.pinned(try leaf(1)), TrustAttempt.Shown.leaf(try leaf(2)))
        let named = try place(name: "kitchen.example")
        #expect(try contest(policy, shown, at: named)?.isByOtherName == true)
        #expect(try contest(policy, shown, at: named, isProved: true) == nil)
        #expect(try contest(policy, shown, isProved: true)?.isByOtherName == false)
    }
}
