import DNSSD
import GatewayProtocol
import Testing

/// The comparison of a paired gateway with others, and with itself as the network was at pairing.
@Suite struct PairedTermsOthersTests {
    private static let router: [UInt8] = [2, 0, 0, 0, 0, 1]
    private static let machine: [UInt8] = [2, 0, 0, 0, 0, 9]
    private static let own = GatewayFingerprint("own")
    private static let other = GatewayFingerprint("other")

    private func leaf(_ byte: UInt8) throws -> LeafFingerprint {
        try #require(LeafFingerprint(bytes: Array(repeating: byte, count: 32)))
    }

    private func place(_ text: String = "10.0.0.1", port: UInt16 = 443) throws -> Endpoint {
        Endpoint(address: try #require(IPAddress(text)), port: port)
    }

    private func network(
        router: NetworkObservation.Neighbour = .at(router),
        gateway: NetworkObservation.Neighbour = .at(machine),
        prefix: String = "10.0.0.0"
    ) throws -> NetworkObservation {
        NetworkObservation(
            prefix: try #require(IPAddress(prefix)),
            prefixLength: 24,
            router: router,
            gateway: gateway
        )
    }

    private func terms(
        _ policy: TrustPolicy,
        _ fingerprint: GatewayFingerprint? = nil,
        _ dialect: GatewayDialect = .openClaw,
        at endpoint: Endpoint? = nil
    ) throws -> PairedTerms {
        PairedTerms(policy, dialect, fingerprint: fingerprint, endpoints: [try endpoint ?? place()])
    }

    /// A gateway that answers is that of a pairing by the pinned certificate and its fingerprint or, without one, its port and
    /// path; without TLS by its whole place and, in a network that is trusted, by its fingerprint.
    @Test func aGatewayIsThatOfAPairing() throws {
        let (pin, home) = (try leaf(1), try #require(try network().homeNetwork))
        let (address, port) = (try place("10.0.0.7"), try place(port: 8_443))
        let cases: [(TrustPolicy, GatewayFingerprint?, told: GatewayFingerprint?, Endpoint, Bool)] = [
            (.pinned(pin), Self.own, Self.own, port, true), (.pinned(pin), Self.own, Self.other, try place(), false),
            (.pinned(pin), nil, nil, address, true), (.pinned(pin), nil, nil, port, false),
            (.pinned(try leaf(2)), Self.own, Self.own, try place(), false),
            (.lan(home), Self.own, Self.own, address, true), (.lan(home), Self.own, nil, try place(), false),
            (.lan(home), nil, nil, try place(), true), (.lan(home), nil, nil, address, false),
            (.sameAddress(home), Self.own, Self.own, address, false),
        ]
        for (policy, paired, told, endpoint, isIt) in cases {
            let terms = try terms(policy, paired, .optaplus)
            let attempt = TrustAttempt(
                shown: policy.isPlain ? .plain : .leaf(pin),
                endpoint: endpoint,
                knownEndpoints: terms.endpoints,
                network: try network()
            )
            #expect(terms.isGateway(of: attempt, .optaplus, telling: told) == isIt, "\(policy) \(endpoint)")
            #expect(!terms.isGateway(of: attempt, .openClaw, telling: told))
        }
    }

    /// Pairings are with one gateway by what is proved; a message may reach it where nothing is, too.
    @Test func pairingsAreWithOneGateway() throws {
        let (pin, home) = (try leaf(1), try #require(try network().homeNetwork))
        let port = try place(port: 8_443)
        let cases: [(PairedTerms, PairedTerms, isSame: Bool, isReached: Bool)] = [
            (try terms(.pinned(pin)), try terms(.pinned(pin), at: place("10.0.0.7")), true, true),
            (try terms(.pinned(pin)), try terms(.pinned(pin), at: port), false, false),
            (try terms(.pinned(pin)), try terms(.pinned(leaf(2))), false, false),
            (
                try terms(.pinned(pin), Self.own, .optaplus), try terms(.pinned(pin), Self.own, .optaplus, at: port),
                true, true
            ),
            (
                try terms(.pinned(pin), Self.own, .optaplus), try terms(.pinned(pin), Self.other, .optaplus), false,
                false
            ),
            (try terms(.certified(host: "a")), try terms(.certified(host: "b")), false, false),
            (try terms(.lan(home), Self.own), try terms(.sameAddress(home), Self.own, at: port), true, true),
            (try terms(.lan(home)), try terms(.lan(home)), false, true),
            (try terms(.lan(home), Self.own), try terms(.pinned(pin), Self.own), false, true),
            (try terms(.lan(home)), try terms(.lan(home), nil, .optaplus), false, false),
        ]
        for (one, other, isSame, isReached) in cases {
            #expect(one.isSameGateway(as: other) == isSame && other.isSameGateway(as: one) == isSame, "\(one) \(other)")
            #expect(one.mayBeReached(as: other) == isReached && other.mayBeReached(as: one) == isReached)
        }
    }

    /// What the kernel does not know yet is no reason for an alarm; what it knows to be otherwise takes the place away.
    @Test func anotherNetworkTakesAPlaceAway() throws {
        let home = try #require(try network().homeNetwork)
        let place = try place()
        let cases: [(NetworkObservation?, MoveReason?)] = [
            (try network(), nil), (nil, nil), (try network(router: .unknown), nil),
            (try network(router: .at([2, 0, 0, 0, 0, 7])), .router), (try network(gateway: .none), .machine),
            (try network(prefix: "10.0.1.0"), .prefix),
        ]
        for (network, reason) in cases {
            let marks = try terms(.sameAddress(home)).marks { _ in network }
            #expect(marks.moves[place] == reason && marks.places.isEmpty == (reason != nil), "\(reason as Any)")
            #expect(marks.home == place && marks.compared == [place])
        }
        let pinned = try terms(.pinned(try leaf(1))).marks { _ in nil }
        #expect(pinned.compared?.isEmpty == true && pinned.moves.isEmpty)
        // Where any place is trusted, others are compared as well.
        let seen = try self.place("10.0.0.7")
        let lan = try terms(.lan(home)).marks({ _ in try? self.network(prefix: "10.0.1.0") }, seen: [seen])
        #expect(lan.moves[seen] == .prefix)
    }

    /// A gateway that answers with TLS alone where it was paired without, or the other way round, has changed its transport.
    @Test func itsTransportChanges() throws {
        let (pin, home) = (try leaf(1), try #require(try network().homeNetwork))
        let (own, elsewhere) = (try place(), try place(port: 8_443))
        func identity(_ isTLS: Bool, _ dialect: GatewayDialect = .openClaw) -> GatewayIdentity {
            GatewayIdentity(dialect: dialect, leaf: isTLS ? pin : nil)
        }
        let cases: [(TrustPolicy, [(Endpoint, GatewayIdentity)], MoveReason?)] = [
            (.lan(home), [(own, identity(true))], .hasTLS), (.lan(home), [(own, identity(false))], nil),
            (.lan(home), [(own, identity(true)), (own, identity(false))], nil),
            (.lan(home), [(elsewhere, identity(true))], nil), (.lan(home), [(own, identity(true, .bridge))], nil),
            (.lan(home), [], nil), (.pinned(pin), [(own, identity(false))], .lostTLS),
            (.pinned(pin), [(own, identity(true))], nil),
        ]
        for (policy, answers, change) in cases {
            #expect(try terms(policy).changeOfTransport(answers) == change, "\(policy) \(answers)")
        }
    }

    /// Of several reasons against the places of a gateway, the one is told that explains most.
    @Test func theReasonThatExplainsMostIsTold() throws {
        let (own, answering, away) = (try place(), try place("10.0.0.7"), try place("10.0.0.8"))
        let home = try #require(try network().homeNetwork)
        let cases: [([(endpoint: Endpoint, verdict: PathVerdict)], MoveReason)] = [
            ([(own, .unproved), (answering, .moved(.address))], .hasTLS),
            ([(own, .moved(.machine)), (answering, .moved(.address))], .address),
            ([(own, .moved(.machine)), (answering, .moved(.gateway))], .gateway),
            ([(away, .moved(.address)), (own, .moved(.machine))], .machine),
            ([(away, .moved(.prefix)), (own, .possible)], .prefix), ([(own, .possible)], .unproved), ([], .unproved),
        ]
        for (verdicts, reason) in cases {
            let terms = try terms(.sameAddress(home))
            let found = terms.moveReason(verdicts, answering: [answering], home: own, change: .hasTLS)
            #expect(found == reason, "\(verdicts)")
        }
        let unchanged = try terms(.sameAddress(home)).moveReason(
            [(own, .unproved), (answering, .moved(.address))],
            answering: [answering],
            home: own,
            change: nil
        )
        #expect(unchanged == .address)
    }
}
