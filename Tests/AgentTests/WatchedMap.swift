import DNSSD
import GatewayProtocol
import Reports
import Scanning

@testable import Agent
@testable import Pairing

/// A map, and what is told of its gateways, with a clock that the test turns.
struct WatchedMap {
    /// The ways in which the user can have named a gateway.
    enum Naming: CaseIterable {
        case address, alias, pairedPlain, pairedTLS
    }

    static let home = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0001)), port: 3_000)
    static let forged = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0042)), port: 3_000)

    let naming: Naming

    /// The fingerprint that it tells; `nil` if it has none.
    let fingerprint: GatewayFingerprint?
    private(set) var map = BotMap()
    private(set) var actions: [NoticeAction] = []
    private(set) var now = ContinuousClock.now
    private var time = Timestamp("2026-11-26T12:00:00.000Z")!
    private var facts = WatchedFacts()
    private var rules: NoticeRules
    private var paired = PairedGateways()
    private var answers = LastAnswers()
    private var answering: Set<Endpoint> = []

    /// What the user has paired and named.
    private var access = StoredAccess(pairings: [])

    /// The hardware address of whoever has the gateway's address.
    private(set) var machine: [UInt8] = [2, 0, 0, 0, 0, 1]
    var policy = NoticePolicy()

    /// The gateways that the settings name.
    private var named: [NamedPlace]

    init(_ naming: Naming, fingerprint: String? = "home") {
        self.naming = naming
        self.fingerprint = fingerprint.flatMap { GatewayFingerprint($0) }
        named = naming == .address ? (try? ProbeAddress("10.0.0.1:3000")).map { [NamedPlace($0)] } ?? [] : []
        rules = NoticeRules(NoticePolicy(), at: Moment(instant: now, time: time, minuteOfDay: 720))
    }

    private var leaf: LeafFingerprint? {
        naming == .pairedTLS ? LeafFingerprint(bytes: Array(repeating: 1, count: 32)) : nil
    }

    private var rowID: String { fingerprint.map { "fingerprint:\($0)" } ?? "service:Home._openclaw._tcp.local" }

    /// Has the gateway found, named and watched.
    mutating func begin() {
        advertise([Self.home])
        answer(at: Self.home)
        switch naming {
        case .address: break
        case .alias:
            let alias = GatewayAlias(gatewayID: rowID, fingerprint: fingerprint, leaf: nil, name: "Attic")
            access = StoredAccess(pairings: [], aliases: [alias])
        case .pairedPlain, .pairedTLS: access = StoredAccess(pairings: [pairing])
        }
        name()
        wait(20)
    }

    private var pairing: StoredPairing {
        let network = HomeNetwork(
            prefix: .v4(IPv4Address(bits: 0x0A00_0000)),
            prefixLength: 24,
            router: [9],
            gateway: machine
        )
        return StoredPairing(
            gatewayID: rowID,
            fingerprint: fingerprint,
            name: "Home",
            dialect: .optaplus,
            trust: leaf.map { .pinned($0) } ?? .sameAddress(network),
            endpoints: [Self.home],
            pairedAt: 1,
            bots: BotID("b").map { [StoredBot(id: $0, name: "Jarvis")] } ?? []
        )
    }

    /// Has the map and the facts know what the user has paired and named.
    private mutating func name() {
        facts.take(access)
        paired = PairedGateways()
        let machine = machine
        let events = paired.take(access.pairings, aliases: access.aliases) { Self.network(to: $0, machine) }
        for event in events { map.apply(event) }
        if naming != .alias { map.apply(.endpointAdded(Self.home, .local)) }
        for place in named.flatMap(\.endpoints) where place != Self.home { map.apply(.endpointAdded(place, .local)) }
    }

    /// Has the settings name a gateway, by an address or a host name that leads to places by now.
    mutating func set(_ text: String, leadingTo places: Set<Endpoint> = []) {
        guard let address = try? ProbeAddress(text) else { return }
        named = [NamedPlace(address, places)]
        name()
    }

    private static func network(to address: IPAddress, _ machine: [UInt8]) -> NetworkObservation? {
        NetworkObservation(
            prefix: .v4(IPv4Address(bits: 0x0A00_0000)),
            prefixLength: 24,
            router: .at([9]),
            gateway: .at(address == home.address ? machine : [6, 6])
        )
    }

    /// Has a service lead to places.
    mutating func advertise(_ places: [Endpoint], as name: String = "Home") {
        guard let type = try? ServiceType(name: "openclaw"), let instance = try? ServiceInstance(name: name, type: type)
        else { return }
        var service = DiscoveredService(instance: instance)
        var sighting = Sighting(
            instance: instance,
            path: ServicePath(interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4),
            source: SightingSource(rawValue: "fake"),
            resolution: .resolved
        )
        sighting.host = try? DomainName(labels: [Array(name.utf8), Array("local".utf8)])
        sighting.port = 3_000
        sighting.addresses = places.map(\.address)
        sighting.txt = fingerprint.map { TXTRecord(strings: [Array("fp=\($0)".utf8)]) } ?? TXTRecord()
        service.record(sighting)
        map.apply(.serviceFound(service))
    }

    /// Has a record end the service, as a goodbye does.
    mutating func withdraw() {
        guard let type = try? ServiceType(name: "openclaw"),
            let instance = try? ServiceInstance(name: "Home", type: type)
        else { return }
        map.apply(.serviceLost(instance))
    }

    /// Has a gateway answer at a place from now on: this one, unless it is said otherwise.
    mutating func answer(
        at place: Endpoint,
        as other: GatewayFingerprint? = nil,
        dialect: GatewayDialect = .optaplus,
        hasLeaf: Bool = true,
        showing shown: LeafFingerprint? = nil
    ) {
        let identity = GatewayIdentity(
            fingerprint: other ?? fingerprint,
            name: "Home",
            dialect: dialect,
            leaf: shown ?? (hasLeaf ? leaf : nil)
        )
        map.apply(.located(place, .neighbour(hardwareAddress: place == Self.home ? machine : [6, 6])))
        map.apply(.probed(place, .gateway(identity)))
        map.apply(.liveness(place, .answering))
        answering.insert(place)
        look()
    }

    /// Has whatever is at a place stop, as the scanner shows that.
    mutating func stop(at place: Endpoint) {
        answering.remove(place)
        wait(2)
        map.apply(.liveness(place, .suspect))
        wait(2)
        map.apply(.liveness(place, .gone))
    }

    /// The names of the gateways that may be new on the network.
    var newcomers: [String] { facts.newcomers(map.gateways).map(\.name) }

    /// Has another machine take the gateway's address.
    mutating func takeOver() { machine = [6, 6] }

    /// Has a paired gateway's network compared anew, as its follower does.
    private mutating func look() {
        let machine = machine
        for row in map.gateways {
            let events = paired.look(row) { Self.network(to: $0, machine) }
            for event in events { map.apply(event) }
        }
    }

    /// Has the agent begin anew with what it has remembered; the map knows nothing.
    mutating func restart() {
        var remembered: [String: RememberedGateway] = [:]
        for action in actions {
            switch action {
            case .remember(let subject, let memory):
                guard let read = GatewayMemory(memory.json) else { continue }
                remembered[subject.key] = RememberedGateway(subject, read)
            case .forget(let key): remembered[key] = nil
            default: continue
            }
        }
        let all = remembered.values.sorted { $0.subject.key < $1.subject.key }
        facts = WatchedFacts(all)
        rules = NoticeRules(policy, all, at: Moment(instant: now, time: time, minuteOfDay: 720))
        map = BotMap()
        answering = []
        name()
    }

    /// Lets time pass.
    mutating func wait(_ seconds: Int) {
        for _ in 0..<seconds * 2 {
            now += .milliseconds(500)
            time = time.advanced(by: .milliseconds(500))
            for place in answering { answers.times[place] = now }
            let snapshot = ConstellationSnapshot(
                revision: 1,
                gateways: map.gateways,
                services: [],
                backends: [],
                sessions: [],
                missedProblems: []
            )
            let found = facts.facts(snapshot, policy.watched, named: named, heard: answers, now: now) { _ in true }
            rules.policy = policy
            actions += rules.take(found, at: Moment(instant: now, time: time, minuteOfDay: 720))
        }
    }

    /// The messages, in short.
    var told: [String] {
        actions.compactMap { if case .tell(let notice) = $0 { notice.kind.rawValue } else { nil } }
    }

    /// The messages that it is gone or back.
    var presence: [String] { told.filter { ["gone", "back", "unsteady", "settled"].contains($0) } }

    /// The reasons of its outages.
    var reasons: [String] {
        actions.compactMap { if case .outageBegan(_, _, let reason, _) = $0 { reason } else { nil } }
    }

    /// The number of outages that have begun and that have ended.
    var outages: (began: Int, ended: Int) {
        (
            actions.count { if case .outageBegan = $0 { true } else { false } },
            actions.count { if case .outageEnded = $0 { true } else { false } }
        )
    }
}
