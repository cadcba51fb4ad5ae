import DNSSD
import GatewayProtocol
import Testing

/// The decision before a token is sent, by the terms of its pairing: what goes beyond the trust policy, which has tests of its own.
@Suite struct PairedTermsDecisionTests {
    private static let leaf = LeafFingerprint(bytes: Array(repeating: 1, count: 32))
    private static let router: [UInt8] = [2, 0, 0, 0, 0, 1]
    private static let machine: [UInt8] = [2, 0, 0, 0, 0, 9]

    private func place(_ text: String = "10.0.0.1", port: UInt16 = 443) throws -> Endpoint {
        Endpoint(address: try #require(IPAddress(text)), port: port)
    }

    private func network() throws -> NetworkObservation {
        NetworkObservation(
            prefix: try #require(IPAddress("10.0.0.0")),
            prefixLength: 24,
            router: .at(Self.router),
            gateway: .at(Self.machine)
        )
    }

    private func decision(
        _ policy: TrustPolicy,
        _ dialect: GatewayDialect,
        _ shown: TrustAttempt.Shown,
        at endpoint: Endpoint,
        remote: String? = nil,
        soughtAs host: String? = nil,
        isNear: Bool = true,
        isTyped: Bool = false
    ) throws -> TrustDecision {
        try PairedTerms(policy, dialect, endpoints: [place()], remoteURL: remote).decision(
            shown,
            at: endpoint,
            in: network(),
            soughtAs: host,
            isNear: isNear,
            isTyped: isTyped
        )
    }

    /// One token for all devices goes without TLS only if it was typed for that, to its own place, and in local networks; and
    /// with TLS to no other port of its front but that of its address outside of this network.
    @Test func theOneTokenStaysWhereItWasNamed() throws {
        let home = try #require(try network().homeNetwork)
        let (own, pin) = (try place(), try #require(Self.leaf))
        func plain(_ policy: TrustPolicy, _ endpoint: Endpoint, isTyped: Bool) throws -> TrustDecision {
            try decision(policy, .openAgents, .plain, at: endpoint, isTyped: isTyped)
        }
        #expect(try plain(.sameAddress(home), own, isTyped: false) == .refused(.oneTokenInClear))
        #expect(try plain(.sameAddress(home), own, isTyped: true) == .allowed)
        #expect(try plain(.lan(home), own, isTyped: true) == .refused(.oneTokenInClear))
        #expect(try plain(.sameAddress(home), place("203.0.113.5"), isTyped: true) == .refused(.publicAddress))
        func pinned(_ dialect: GatewayDialect, _ endpoint: Endpoint) throws -> TrustDecision {
            try decision(.pinned(pin), dialect, .leaf(pin), at: endpoint, remote: "wss://10.0.0.9:8443/")
        }
        #expect(try pinned(.openAgents, place("10.0.0.7")) == .allowed)
        #expect(try pinned(.openAgents, place(port: 8_444)) == .moved(.port))
        #expect(try pinned(.openAgents, place("10.0.0.9", port: 8_443)) == .allowed)
        #expect(try pinned(.openClaw, place(port: 8_444)) == .allowed)
    }

    /// What a DNS zone alone knows gets nothing in clear, unless the user has consented to that very place.
    @Test func nothingGoesInClearToWhatAZoneAloneKnows() throws {
        let home = try #require(try network().homeNetwork)
        for (endpoint, isNear, wanted) in [
            (try place("10.0.0.7"), true, TrustDecision.allowed),
            (try place("10.0.0.7"), false, .refused(.publicAddress)), (try place(), false, .allowed),
        ] {
            #expect(try decision(.lan(home), .optaplus, .plain, at: endpoint, isNear: isNear) == wanted)
        }
    }

    /// The address outside of this network has a proof of its own: a certificate for its host, and for no other one.
    @Test(arguments: [
        ("out.example", "out.example", TrustDecision.allowed),
        ("out.example", "other.example", .refused(.notCertified)),
        ("other.example", "other.example", .refused(.notCertified)),
    ])
    func aHostOutsideProvesItself(host: String, shown: String, wanted: TrustDecision) throws {
        let pin = try #require(Self.leaf)
        let found = try decision(
            .pinned(pin),
            .optaplus,
            .certified(host: shown, leaf: pin),
            at: place("203.0.113.5"),
            remote: "wss://out.example/",
            soughtAs: host
        )
        #expect(found == wanted)
    }

    /// Where the pairing was never connected, whoever ends its token or hangs up on it is another gateway.
    @Test func aRefusalElsewhereIsThatOfAnother() {
        for (reason, isOfAnother) in [
            (SessionRefusal.Reason.revoked, true), (.notPaired, true), (.hungUp, true), (.rateLimited, false),
        ] {
            let refusal = SessionRefusal(dialect: .optaplus, reason: reason, credential: .deviceToken)
            #expect(PairedTerms.isOfAnother(refusal, wasConnectedThere: false) == isOfAnother)
            #expect(!PairedTerms.isOfAnother(refusal, wasConnectedThere: true))
        }
    }
}
