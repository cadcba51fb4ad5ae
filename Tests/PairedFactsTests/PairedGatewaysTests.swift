import DNSSD
import GatewayProtocol
import Scanning
import Synchronization
import TestSupport
import Testing

@testable import Pairing

/// The store of pairings as facts for the map, and the map's verdict on what answers then.
@Suite struct PairedGatewaysTests {
    private var map = BotMap()
    private var paired = PairedGateways()

    private static let router: [UInt8] = [2, 0, 0, 0, 0, 1]
    private static let machine: [UInt8] = [2, 0, 0, 0, 0, 2]

    private func endpoint(_ last: UInt32, port: UInt16 = 3_000) -> Endpoint {
        Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0000 | last)), port: port)
    }

    private func network(
        router: NetworkObservation.Neighbour = .at(Self.router),
        gateway: NetworkObservation.Neighbour = .at(Self.machine)
    ) -> NetworkObservation {
        NetworkObservation(
            prefix: .v4(IPv4Address(bits: 0x0A00_0000)),
            prefixLength: 24,
            router: router,
            gateway: gateway
        )
    }

    private func leaf(_ byte: UInt8) throws -> LeafFingerprint {
        try #require(LeafFingerprint(bytes: Array(repeating: byte, count: 32)))
    }

    private func pairing(
        id: String = "fingerprint:home",
        fingerprint: String? = "home",
        dialect: GatewayDialect = .optaplus,
        trust: TrustPolicy? = nil,
        at endpoints: [Endpoint]? = nil
    ) throws -> StoredPairing {
        StoredPairing(
            gatewayID: id,
            fingerprint: fingerprint.flatMap { GatewayFingerprint($0) },
            name: "Home",
            dialect: dialect,
            trust: try trust ?? .sameAddress(#require(network().homeNetwork)),
            endpoints: endpoints ?? [endpoint(2)],
            pairedAt: 1,
            bots: [StoredBot(id: try #require(BotID("b")), name: "Jarvis")]
        )
    }

    private func answer(
        _ fingerprint: String? = "home",
        dialect: GatewayDialect = .optaplus,
        leaf: LeafFingerprint? = nil
    ) -> ProbeOutcome {
        .gateway(
            GatewayIdentity(
                fingerprint: fingerprint.flatMap { GatewayFingerprint($0) },
                name: "Home",
                dialect: dialect,
                bots: [],
                leaf: leaf
            )
        )
    }

    private mutating func take(_ pairings: [StoredPairing], _ network: NetworkObservation? = nil) {
        let now = network ?? self.network()
        for event in paired.take(pairings, interfaces: [], network: { _ in now }) { map.apply(event) }
    }

    private var home: Gateway? { map.gateways.first { $0.isPaired } }

    /// Every stored endpoint of a gateway with TLS has to show its certificate, unless another one was verified there later.
    @Test func storedEndpointsHaveToShowTheCertificate() throws {
        let (one, two) = (try leaf(1), try leaf(2))
        let pairings = [
            try pairing(trust: .pinned(one), at: [endpoint(2)]),
            try pairing(trust: .pinned(two), at: [endpoint(3), endpoint(2), endpoint(4)]),
            try pairing(at: [endpoint(5)]),
        ]
        let pins = [endpoint(2): one, endpoint(3): two, endpoint(4): two]
        #expect(PairedGateways.pins(of: pairings) == pins)
        #expect(PairedGateways.pins(of: pairings.reversed()) == pins)
    }

    /// A gateway without TLS that is where it was at pairing is not accused, not even for the moment of its first answer.
    @Test(arguments: [false, true]) mutating func aPlainGatewayAtItsPlaceIsAsItWas(isAnywhere: Bool) throws {
        let home = try #require(network().homeNetwork)
        take([try pairing(trust: isAnywhere ? .lan(home) : .sameAddress(home))])
        let changes = map.apply(.probed(endpoint(2), answer()))
        for case .changed(let row, _) in changes { #expect(row.flags == []) }
        #expect(self.home?.flags == [])
        #expect(self.home?.proof == .sameAddress)
        #expect(map.gateways.count == 1)
        map.apply(.liveness(endpoint(2), .gone))
        map.apply(.probed(endpoint(2), answer()))
        #expect(self.home?.flags == [])
    }

    /// A neighbour that the kernel has not reached yet is no reason for an alarm; another machine or router at the same address is.
    @Test mutating func anotherNetworkIsSaid() throws {
        take([try pairing()], network(router: .unknown, gateway: .unknown))
        map.apply(.probed(endpoint(2), answer()))
        #expect(home?.flags == [])
        let row = try #require(home)
        let steps: [(NetworkObservation, Set<GatewayFlag>)] = [
            (network(), []), (network(gateway: .at([9])), [.moved]), (network(), []),
            (network(router: .at([9])), [.moved]), (network(router: .unknown), []),
        ]
        for (now, flags) in steps {
            for event in paired.look(row, network: { _ in now }) { map.apply(event) }
            #expect(home?.flags == flags)
        }
    }

    /// Elsewhere, the network counts only where the user trusts any place of it.
    @Test(arguments: [false, true]) mutating func onlyItsOwnPlacesCanMove(isAnywhere: Bool) throws {
        let network = try #require(network().homeNetwork)
        let pairing = try pairing(trust: isAnywhere ? .lan(network) : .sameAddress(network))
        take([pairing])
        map.apply(.serviceFound(try Self.service("Home", at: endpoint(2), endpoint(3))))
        map.apply(.probed(endpoint(2), answer()))
        let row = try #require(home)
        let elsewhere = self.network(router: .at([9]))
        for event in paired.look(row, network: { _ in elsewhere }) { map.apply(event) }
        let moves = Set((paired.marks(of: pairing.id)?.moves ?? [:]).keys)
        #expect(moves == Set([endpoint(2)] + (isAnywhere ? [endpoint(3)] : [])))
    }

    /// The names that the user has given are reported when they have changed, and not when they were not read.
    @Test mutating func namesAreReportedOnce() {
        let alias = GatewayAlias(gatewayID: "a", fingerprint: nil, leaf: nil, name: "Attic")
        let told = [[alias], [alias], nil, []].map { paired.take([], aliases: $0) }
        #expect(told == [[.aliased([alias])], [], [], [.aliased([])]])
    }

    @Test func someStatesWaitForTheUser() {
        let waiting: [PairedState] = [.moved, .changedLeaf, .uncertified, .refused, .failed, .revoked, .awaitsTrust]
        for state in waiting { #expect(state.needsUser) }
        for state in [PairedState.connected, .connecting, .paired, .gone, .waiting] { #expect(!state.needsUser) }
    }

    /// One that answers elsewhere under the same fingerprint is flagged; where any place of the network will do, by the
    /// warning that is made for it.
    @Test mutating func whatIsElsewhereIsFlagged() throws {
        take([try pairing()])
        map.apply(.probed(endpoint(3), answer()))
        #expect(home?.flags == [.moved])
        #expect(PairedState(home) == .moved)
        map.apply(.probed(endpoint(2), answer()))
        #expect(home?.flags.contains(.moved) == false)

        (map, paired) = (BotMap(), PairedGateways())
        take([try pairing(trust: .lan(#require(network().homeNetwork)))])
        map.apply(.probed(endpoint(3), answer()))
        try lookAround()
        #expect(home?.flags == [.elsewhere])
    }

    /// Compares the networks of all paths with that of pairing, which they are.
    private mutating func lookAround() throws {
        let now = network()
        for event in paired.look(try #require(home), network: { _ in now }) { map.apply(event) }
    }

    /// Another place of a gateway that is trusted at any of the network is accused only once its network was compared with
    /// that of pairing: it may be another network, to which no token goes. What the kernel does not know yet excuses nobody.
    @Test(arguments: [false, true]) mutating func anotherPlaceIsAccusedOnceItsNetworkWasLookedAt(isKnown: Bool) throws {
        let pairing = try pairing(trust: .lan(try #require(network().homeNetwork)))
        take([pairing])
        map.apply(.serviceFound(try Self.service("Home", at: endpoint(2), endpoint(3))))
        map.apply(.probed(endpoint(2), .nothing(.refused)))
        map.apply(.probed(endpoint(3), answer()))
        #expect(home?.flags == [])
        let row = try #require(home)
        let now = isKnown ? network() : network(router: .unknown, gateway: .unknown)
        for event in paired.look(row, network: { _ in now }) { map.apply(event) }
        #expect(home?.flags == [.elsewhere])
    }

    /// An endpoint whose network was not looked at is looked at when it answers again, and once.
    @Test mutating func whatWasNotLookedAtIsLookedAtLater() throws {
        let pairing = try pairing(trust: .lan(try #require(network().homeNetwork)))
        take([pairing])
        map.apply(.serviceFound(try Self.service("Home", at: endpoint(2), endpoint(3))))
        for last in [2, 3] as [UInt32] { map.apply(.probed(endpoint(last), answer())) }
        let (row, now) = (try #require(home), network())
        #expect(paired.look(row, after: [.latency], network: { _ in now }).count == 1)
        #expect(paired.look(row, after: [.latency], network: { _ in now }).isEmpty)
    }

    /// Another address of one machine is no other place, such as that of a gateway with two addresses; another port is, which
    /// another user may have.
    @Test mutating func anotherAddressOfTheSameMachineIsNotElsewhere() throws {
        take([try pairing(trust: .lan(#require(network().homeNetwork)))])
        map.apply(.serviceFound(try Self.service("Home", at: endpoint(2), endpoint(3))))
        // The place of the pairing is about to be asked.
        map.apply(.probed(endpoint(3), answer()))
        #expect(home?.flags == [])
        for last in [2, 3] as [UInt32] {
            map.apply(.located(endpoint(last), .neighbour(hardwareAddress: Self.machine)))
            map.apply(.probed(endpoint(last), answer()))
        }
        try lookAround()
        #expect(home?.paths.map(\.isElsewhere) == [false, true])
        #expect(home?.flags == [])
        map.apply(.located(endpoint(3), .neighbour(hardwareAddress: [9])))
        #expect(home?.flags == [.elsewhere])
        map.apply(.located(endpoint(3), .neighbour(hardwareAddress: Self.machine)))
        #expect(home?.flags == [])
        map.apply(.serviceFound(try Self.service("Home", at: endpoint(2), endpoint(2, port: 4_000))))
        map.apply(.probed(endpoint(2, port: 4_000), answer()))
        map.apply(.located(endpoint(2, port: 4_000), .neighbour(hardwareAddress: Self.machine)))
        try lookAround()
        #expect(home?.flags == [.elsewhere])
    }

    /// Without TLS, no token goes to an address that only a name server tells, and all views say so: the gateway has moved
    /// while it answers nowhere else.
    @Test mutating func aPlainGatewayThatANameServerTellsIsNotWhereItWas() throws {
        take([try pairing(trust: .lan(#require(network().homeNetwork)))])
        map.apply(.endpointAdded(endpoint(3), .remote))
        map.apply(.probed(endpoint(3), answer()))
        #expect(home?.flags == [.moved])
        #expect(PairedState(home) == .moved)
        map.apply(.probed(endpoint(2), answer()))
        #expect(PairedState(home) == .paired)
    }

    /// The pinned leaf is recognized with the answer that shows it, at whatever address: no reader sees an accusation in
    /// between, nor that one path of the row is proved and another is not.
    @Test mutating func aPinnedLeafIsRecognizedAtOnce() throws {
        take([try pairing(trust: .pinned(leaf(1)))])
        for last in [2, 7, 8] as [UInt32] {
            for change in map.apply(.probed(endpoint(last), answer(leaf: try leaf(1)))) {
                guard case .changed(let row, _) = change else { continue }
                #expect(row.flags == [])
            }
        }
        #expect(map.gateways.count == 1)
        #expect(home?.paths.map(\.proof) == [.pinnedLeaf, .pinnedLeaf, .pinnedLeaf])
    }

    /// Another certificate where the gateway was last is *changed leaf*, until a path shows the pinned one.
    @Test(arguments: ["home", "other", nil]) mutating func anotherLeafIsSaid(fingerprint: String?) throws {
        take([try pairing(trust: .pinned(leaf(1)))])
        map.apply(.probed(endpoint(2), answer(fingerprint, leaf: try leaf(2))))
        #expect(home?.flags == [.changedLeaf])
        #expect(PairedState(home) == .changedLeaf)
        map.apply(.liveness(endpoint(2), .gone))
        #expect(home?.flags == [])
        map.apply(.probed(endpoint(2), answer(fingerprint, leaf: try leaf(2))))
        map.apply(.probed(endpoint(5), answer(leaf: try leaf(1))))
        #expect(home?.flags.contains(.changedLeaf) == false)
        #expect(home?.flags.contains(.moved) == false)
    }

    /// A gateway that comes back with another certificate and another fingerprint is one row again, once the certificate is
    /// accepted together with what it tells.
    @Test(arguments: [false, true]) mutating func anAcceptedLeafJoinsTheRows(isAskedAgain: Bool) throws {
        var pairing = try pairing(trust: .pinned(leaf(1)))
        take([pairing])
        map.apply(.probed(endpoint(2), answer("new", leaf: try leaf(2))))
        #expect(home?.flags == [.changedLeaf])
        pairing.accept(.pinned(try leaf(2)), telling: GatewayFingerprint("new"))
        take([pairing])
        if isAskedAgain { map.apply(.probed(endpoint(2), answer("new", leaf: try leaf(2)))) }
        #expect(map.gateways.count == 1, "\(map.gateways.map(\.id))")
        #expect(home?.fingerprint == GatewayFingerprint("new"))
        #expect(home?.flags == [] && home?.proof == .pinnedLeaf)
        #expect(PairedState(home) == .paired)
    }

    /// A pinned leaf proves the gateway that showed it, and no other that answers behind the same front after it.
    @Test mutating func aPinProvesNoNeighbour() throws {
        let shared = endpoint(2, port: 4_000)
        let neighbour = try pairing(
            id: "fingerprint:neighbour",
            fingerprint: "neighbour",
            trust: .pinned(leaf(1)),
            at: [shared]
        )
        take([try pairing(trust: .pinned(leaf(2))), neighbour])
        map.apply(.probed(shared, answer("neighbour", leaf: try leaf(1))))
        #expect(map.gateways.flatMap(\.paths).map(\.proof) == [.pinnedLeaf])
        map.apply(.probed(shared, answer("home", leaf: try leaf(1))))
        #expect(map.gateways.flatMap(\.paths).map(\.proof) == [.unproved])
    }

    /// After a new certificate was accepted for one of two gateways behind a front, the former one is no proof of that one
    /// any more.
    @Test mutating func aPinThatANeighbourStillHasProvesNothing() throws {
        var own = try pairing(trust: .pinned(leaf(1)))
        let place = endpoint(2, port: 4_000)
        let den = try pairing(id: "fingerprint:den", fingerprint: "den", trust: .pinned(leaf(1)), at: [place])
        take([own, den])
        map.apply(.probed(endpoint(2), answer(leaf: try leaf(1))))
        own.trust = .pinned(try leaf(2))
        take([own, den])
        let row = try #require(map.gateways.first { $0.fingerprint == own.fingerprint })
        #expect(row.flags == [.changedLeaf])
        #expect(row.foundLeaf == (try leaf(1)))
        #expect(row.proof == .unproved)
    }

    /// A place that something else has taken leaves the row at once, though a session keeps the other one from being asked.
    @Test mutating func aPlaceThatIsTakenLeavesTheRowAtOnce() throws {
        take([try pairing(trust: .pinned(leaf(1)), at: [endpoint(2), endpoint(3)])])
        for last in [2, 3] as [UInt32] { map.apply(.probed(endpoint(last), answer(leaf: try leaf(1)))) }
        map.apply(.sessionLiveness(endpoint(2), .answering))
        #expect(home?.paths.count == 2)
        map.apply(.probed(endpoint(3), answer(leaf: try leaf(9))))
        #expect(home?.paths.map(\.endpoint) == [endpoint(2)])
    }

    /// Once a gateway without TLS is silent at its place, what answers elsewhere counts, if it has answered since: in an
    /// outage of both, the later one of them has only not been missed yet.
    @Test(arguments: [true, false]) mutating func whatAnswersElsewhereSinceCounts(isSince: Bool) throws {
        take([try pairing()])
        for last in [2, 3] as [UInt32] { map.apply(.endpointAdded(endpoint(last), .local, entry: "home")) }
        for last in isSince ? [2, 3] : [3, 2] as [UInt32] {
            map.apply(.probed(endpoint(last), answer()))
            map.apply(.liveness(endpoint(last), .answering))
        }
        #expect(map.gateways.map(\.paths.count) == [2])
        #expect(home?.flags == [])
        map.apply(.liveness(endpoint(2), .suspect))
        #expect(home?.flags == (isSince ? [.moved] : []))
        map.apply(.liveness(endpoint(2), .gone))
        #expect(home?.flags == (isSince ? [.moved] : []))
        map.apply(.liveness(endpoint(3), .answering))
        #expect(home?.flags == [.moved])
        map.apply(.liveness(endpoint(2), .answering))
        #expect(home?.flags == [])
    }

    /// An answer that changes nothing else has the network looked at only where the gateway has moved, and what else is in
    /// its row always.
    @Test(arguments: [false, true]) mutating func onlyAMoveMakesAnAnswerWorthALook(hasMoved: Bool) throws {
        take([try pairing()], hasMoved ? network(gateway: .at([9])) : nil)
        for event in answering(endpoint(2), answer()) { map.apply(event) }
        let row = try #require(home)
        let looks = Mutex(0)
        let now = hasMoved ? network(gateway: .at([9])) : network()
        func count(after aspects: Set<GatewayAspect>) -> Int {
            _ = paired.look(row, after: aspects) { _ in
                looks.withLock { $0 += 1 }
                return now
            }
            return looks.withLock { count in
                defer { count = 0 }
                return count
            }
        }
        #expect(count(after: [.latency]) == (hasMoved ? 1 : 0))
        #expect(count(after: [.latency, .liveness]) == 1)
        #expect(count(after: [.paths]) == 1)
    }

    /// The network is looked at, too, when what answers at the place of pairing is in another row, such as that of one
    /// that claims to be the gateway: the row of the gateway itself is silent then.
    @Test mutating func anAnswerInAnotherRowIsWorthALook() throws {
        take([try pairing()], network(gateway: .at([9])))
        for event in answering(endpoint(2), answer("another")) { map.apply(event) }
        let other = try #require(GatewayFingerprint("another"))
        let row = try #require(map.gateways.first { $0.id == .fingerprint(other) })
        let now = network()
        #expect(paired.look(row, after: [.latency]) { _ in now }.count == 1)
        let id = try #require(paired.pairings.keys.first)
        #expect(paired.marks(of: id)?.moves.isEmpty == true)
    }

    /// A gateway that tells no name keeps the one of its pairing, even if it answers at its stored address before its
    /// service is found.
    @Test mutating func aGatewayWithoutANameIsCalledAsItWasPaired() throws {
        take([try pairing(id: "service:Claw._openclaw-gw._tcp.local", fingerprint: nil, dialect: .openClaw)])
        let identity = GatewayIdentity(fingerprint: nil, name: nil, dialect: .openClaw, bots: [])
        for event in answering(endpoint(2), .gateway(identity)) { map.apply(event) }
        #expect(map.gateways.map(\.name) == ["Home"])
    }

    /// Any host can advertise the address of a paired gateway under a name of its own: the gateway keeps that of its pairing,
    /// whether the record or the answer comes first.
    @Test(arguments: [true, false]) mutating func aForgedRecordRenamesNoPairedGateway(isFirst: Bool) throws {
        take([try pairing(id: "service:Claw._openclaw-gw._tcp.local", fingerprint: nil, dialect: .openClaw)])
        let forged = BotMapEvent.serviceFound(try Self.service("Forged", at: endpoint(2)))
        let identity = GatewayIdentity(fingerprint: nil, name: nil, dialect: .openClaw, bots: [])
        let answers = answering(endpoint(2), .gateway(identity))
        for event in isFirst ? [forged] + answers : answers + [forged] { map.apply(event) }
        #expect(home?.name == "Home" && map.gateways.map(\.name) == ["Home"])
        #expect(home?.flags == [])
    }

    private func answering(_ endpoint: Endpoint, _ outcome: ProbeOutcome) -> [BotMapEvent] {
        [.endpointAdded(endpoint, .local), .probed(endpoint, outcome), .liveness(endpoint, .answering)]
    }

    /// Another gateway that answers where a gateway without TLS was makes that one *moved*.
    @Test mutating func anotherGatewayInItsPlaceIsSaid() throws {
        take([try pairing()])
        map.apply(.probed(endpoint(2), answer("stranger")))
        #expect(home?.flags == [.moved])
        #expect(map.gateways.count == 2)
    }

    /// A gateway without fingerprint that was paired under one identifier is the same gateway, whatever leads to it
    /// first now: its service, or the address that the pairing remembers.
    @Test(arguments: [nil, 1 as UInt8]) mutating func whateverLeadsThereFirst(byte: UInt8?) throws {
        let leaf = try byte.map { try self.leaf($0) }
        let trust = leaf.map { TrustPolicy.pinned($0) }
        let service = GatewayID.candidate(
            .service(try ServiceInstance(name: "Pad", type: try ServiceType(name: "openclaw-gw")))
        )
        let ids = [service.description, GatewayID.candidate(.endpoint(endpoint(2))).description]
        for id in ids {
            for isKnownBefore in [true, false] {
                (map, paired) = (BotMap(), PairedGateways())
                let pairing = try pairing(id: id, fingerprint: nil, dialect: .openClaw, trust: trust)
                if isKnownBefore { take([pairing]) }
                map.apply(.endpointAdded(endpoint(2), .local))
                map.apply(.probed(endpoint(2), answer(nil, dialect: .openClaw, leaf: leaf)))
                map.apply(.serviceFound(try Self.service("Pad", at: endpoint(2))))
                if !isKnownBefore { take([pairing]) }
                #expect(map.gateways.map(\.isPaired) == [true], "\(id) \(isKnownBefore)")
                #expect(home?.liveness == .answering)
                #expect(home?.flags == [])
                #expect(home.flatMap { paired.pairing(of: $0) }?.id == pairing.id)
            }
        }
    }

    /// A host whose certificate the system vouches for is as it was while TLS answers at its address: only a session
    /// checks more. Without TLS it is not.
    @Test mutating func aCertifiedHostIsAsItWas() throws {
        take([try pairing(trust: .certified(host: "gateway.example"))])
        map.apply(.probed(endpoint(2), answer(leaf: try leaf(1))))
        #expect(home?.flags == [])
        (map, paired) = (BotMap(), PairedGateways())
        take([try pairing(trust: .certified(host: "gateway.example"))])
        map.apply(.probed(endpoint(2), answer()))
        #expect(home?.flags == [.moved])
    }

    /// Only what has changed is reported, and what was unpaired is gone.
    @Test mutating func onlyNewsIsReported() throws {
        let pairing = try pairing()
        take([pairing])
        #expect(paired.take([pairing], interfaces: [], network: { _ in nil }) == [])
        var later = pairing
        later.lastConnected = 9
        #expect(paired.take([later], interfaces: [], network: { _ in nil }) == [])
        take([])
        #expect(map.gateways == [])
        #expect(paired.row(of: pairing.id) == nil)
        #expect(paired.pairings.isEmpty)
        // What is paired anew is recognized by what it is paired with now.
        take([try self.pairing(trust: .pinned(leaf(1)))])
        #expect(home?.flags == [])
        map.apply(.probed(endpoint(2), answer(leaf: try leaf(1))))
        #expect(home?.proof == .pinnedLeaf)
    }

    /// A bot that was unpaired, and another name or address, are news; each of them alone.
    @Test(arguments: ["bots", "name", "trust", "endpoints", "dialect"])
    mutating func eachChangeIsReported(of part: String) throws {
        let one = StoredBot(id: try #require(BotID("c")), name: "Friday")
        var pairing = try pairing(trust: .pinned(leaf(1)))
        pairing.bots.append(one)
        take([pairing])
        switch part {
        case "bots": pairing.bots.removeFirst()
        case "name": pairing.name = "Study"
        case "trust": pairing.trust = .pinned(try leaf(2))
        case "endpoints": pairing.endpoints = [endpoint(9)]
        default: pairing.dialect = .openClaw
        }
        let events = paired.take([pairing], interfaces: [], network: { _ in nil })
        var ended: [BotKey] = []
        var told: [PairedBot] = []
        for event in events {
            switch event {
            case .unpaired(let key): ended.append(key)
            case .paired(let bot): told.append(bot)
            // Without a token, one that is bound to a device is to be paired here.
            case .stateChanged where part == "dialect": break
            default: Issue.record("expected news of pairings, found \(event)")
            }
        }
        #expect(ended.map(\.bot.text) == (part == "bots" ? ["b"] : []))
        #expect(told.map(\.id.bot.text) == (part == "bots" ? ["c"] : ["b", "c"]))
        #expect(told.allSatisfy { $0.gatewayName == pairing.name })
    }

    /// Of several pairings with one gateway, that with the lowest identifier is the one of its row; when it is gone, the
    /// next one is.
    @Test mutating func oneOfSeveralPairingsIsThatOfTheRow() throws {
        let pairings = try (0..<4).map { _ in try pairing() }.sorted { $0.id < $1.id }
        take(pairings.reversed())
        map.apply(.probed(endpoint(2), answer()))
        let row = try #require(home)
        for count in 0..<pairings.count {
            #expect(paired.pairing(of: row)?.id == pairings[count].id)
            take(Array(pairings.dropFirst(count + 1)))
        }
        #expect(paired.pairing(of: row) == nil)
    }

    /// A pairing that takes on another fingerprint moves to that gateway's row.
    @Test mutating func aNewIdentityMovesTheBots() throws {
        var pairing = try pairing(trust: .pinned(leaf(1)))
        take([pairing])
        map.apply(.probed(endpoint(2), answer("new", leaf: try leaf(2))))
        #expect(map.gateways.count == 2)
        pairing.trust = .pinned(try leaf(2))
        (pairing.fingerprint, pairing.gatewayID) = (GatewayFingerprint("new"), "fingerprint:new")
        take([pairing])
        #expect(map.gateways.map(\.isPaired) == [true])
        #expect(home?.flags == [])
        #expect(home?.proof == .pinnedLeaf)
    }

    /// Of two pairings with one gateway, either can be forgotten: the bots that the other one has stay paired, and what its
    /// session says of them stays.
    @Test(arguments: [0, 1]) mutating func theOtherPairingStays(forgotten: Int) throws {
        var pairings = [try pairing(), try pairing()].sorted { $0.id < $1.id }
        pairings[forgotten].bots.append(StoredBot(id: try #require(BotID("c")), name: "Friday"))
        take(pairings)
        map.apply(.probed(endpoint(2), answer()))
        let key = BotKey(gateway: try #require(home?.id), bot: try #require(BotID("b")))
        for state in [BotState.connecting, .connected] { map.apply(.stateChanged(key, state)) }
        pairings.remove(at: forgotten)
        take(pairings)
        #expect(home?.bots.map(\.state) == [.connected])
        #expect(home?.flags == [] && home?.proof == .sameAddress)
        take([])
        #expect(home == nil)
    }

    /// Returns a service that leads to these endpoints, to each on a link of its own.
    private static func service(_ name: String, at endpoints: Endpoint...) throws -> DiscoveredService {
        let instance = try ServiceInstance(name: name, type: try ServiceType(name: "openclaw-gw"))
        var service = DiscoveredService(instance: instance)
        for (index, endpoint) in endpoints.enumerated() {
            let link = NetworkInterface(index: UInt32(index + 2), name: "eth\(index)")
            var sighting = Sighting(
                instance: instance,
                path: ServicePath(interface: link, family: .ipv4),
                source: SightingSource(rawValue: "fake"),
                resolution: .resolved
            )
            sighting.host = try DomainName(labels: [Array("pad".utf8), Array("local".utf8)])
            sighting.port = endpoint.port
            sighting.addresses = [endpoint.address]
            service.record(sighting)
        }
        return service
    }
}
