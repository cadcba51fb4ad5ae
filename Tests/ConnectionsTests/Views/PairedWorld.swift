import DNSSD
import GatewayProtocol
import Scanning
import TestSupport

@testable import Pairing

/// A network with paired gateways, others that look like them, and what each view of this device knows of them. A value.
///
/// Its events are those that scanner, store and sessions report; the sessions see the rows as the map reports their
/// changes, not the map.
struct PairedWorld {
    /// The endpoints that there are.
    static let places: [Endpoint] = (1...5).flatMap { last -> [Endpoint] in
        let address = IPAddress.v4(IPv4Address(bits: 0x0A00_0000 | UInt32(last)))
        return [(3_000, "/"), (4_000, "/"), (3_000, "/b/")].map { port, path in
            Endpoint(address: address, port: port, resource: path)
        }
    }

    var random: SeededGenerator

    /// The generator of identifiers, so that the order of pairings is the same whenever a sequence runs.
    private var ids: SeededGenerator
    var now = ContinuousClock.now

    /// The things that answer, by their endpoints, and the number of the router and of each machine, which tell
    /// networks apart.
    private(set) var things: [Endpoint: PairedThing] = [:]
    private(set) var router: UInt8 = 1

    /// The gateways that refuse every session, or put it off.
    private var refusals: [Endpoint: SessionRefusal] = [:]
    private var machines: [IPAddress: UInt8] = [:]

    /// Indicates whether the kernel has reached the machines.
    private var isReached = true

    private(set) var cases: [PairedCase] = []
    private(set) var map: BotMap
    private(set) var paired = PairedGateways()
    private var rows = RowIndex()

    /// The endpoints that something other than a service leads to.
    private(set) var known: Set<Endpoint> = []

    /// The services that are advertised.
    var services: [ServiceInstance: DiscoveredService] = [:]
    private var sessions: [PairingID: KeptWorldSession] = [:]
    private let asksWithPins: Bool

    /// The events of sessions that are still to be handled.
    private var pending: ArraySlice<(SessionEvent, PairedCase)> = []
    private var isHandling = false

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        ids = SeededGenerator(seed: ~seed)
        let asksRepeatedly = random.draw(4) != 0
        map = BotMap(asksRepeatedly: asksRepeatedly)
        asksWithPins = random.draw(2) == 0
        for endpoint in Self.places { machines[endpoint.address] = UInt8(truncatingIfNeeded: endpoint.address.number) }
        for _ in 0...random.draw(3) { pairOne() }
        // Whatever else the views show, they ask the places that pairings remember.
        for place in cases.flatMap(\.places) { lead(to: place) }
        report()
    }

    // MARK: Facts

    /// The network that leads to an address now.
    func network(to address: IPAddress) -> NetworkObservation {
        NetworkObservation(
            prefix: .v4(IPv4Address(bits: 0x0A00_0000)),
            prefixLength: 24,
            router: isReached ? .at([2, 0, 0, 0, 1, router]) : .unknown,
            gateway: isReached ? .at([2, 0, 0, 0, 0, machines[address] ?? 0]) : .unknown
        )
    }

    private static func home(at address: IPAddress) -> HomeNetwork {
        HomeNetwork(
            prefix: .v4(IPv4Address(bits: 0x0A00_0000)),
            prefixLength: 24,
            router: [2, 0, 0, 0, 1, 1],
            gateway: [2, 0, 0, 0, 0, UInt8(truncatingIfNeeded: address.number)]
        )
    }

    /// Indicates whether an endpoint is in the network of a pairing.
    func isInNetwork(_ endpoint: Endpoint, of paired: PairedCase) -> Bool {
        guard router == 1 else { return false }
        guard paired.trust == .address else { return true }
        return machines[endpoint.address] == UInt8(truncatingIfNeeded: paired.places[0].address.number)
    }

    /// Indicates whether a gateway is at an endpoint as it was at pairing, and is not another paired one that is as it was
    /// there: a front may show one certificate for both.
    func isAsAtPairing(_ paired: PairedCase, at endpoint: Endpoint) -> Bool {
        guard let thing = things[endpoint] else { return false }
        func isThere(_ paired: PairedCase) -> Bool {
            paired.isAsAtPairing(thing, at: endpoint, isInNetwork: isInNetwork(endpoint, of: paired))
        }
        guard isThere(paired) else { return false }
        if paired.places.contains(endpoint) { return true }
        // Nothing tells which of several has come here that show one certificate at one port and path.
        return !cases.contains { other in
            other.id != paired.id && isThere(other) && (other.places.contains(endpoint) || other.trust == .pinned)
        }
    }

    func stored(_ paired: PairedCase) -> StoredPairing { paired.stored(home: Self.home(at: paired.places[0].address)) }

    mutating func apply(_ events: [BotMapEvent]) {
        var queue = events[...]
        while let event = queue.popFirst() {
            for change in map.apply(event) {
                switch change {
                case .found(let row):
                    rows.update(row)
                    look(row, &queue)
                case .changed(let row, let aspects):
                    rows.update(row)
                    if aspects != [.latency] { look(row, &queue) }
                case .lost(let row), .joined(let row, _): rows.remove(row.id)
                case .problem: break
                }
            }
        }
    }

    private mutating func look(_ row: Gateway, _ queue: inout ArraySlice<BotMapEvent>) {
        let network = network
        queue += paired.look(row, network: { network($0) })
    }

    private mutating func report() {
        let network = network
        apply(paired.take(cases.map(stored), interfaces: [], network: { network($0) }))
    }

    mutating func lead(to endpoint: Endpoint) {
        guard known.insert(endpoint).inserted else { return }
        apply([.endpointAdded(endpoint, .local)])
    }

    /// The endpoints that are asked: those that something leads to, and those that answered when something did.
    var asked: Set<Endpoint> {
        known.union(advertised).union(map.gateways.flatMap(\.paths).map(\.endpoint))
    }

    /// The endpoints that were asked at any time.
    private(set) var probed: Set<Endpoint> = []

    /// Asks an endpoint, as the scanner does.
    mutating func probe(_ endpoint: Endpoint) {
        // Nothing is asked where a session is alive.
        if isInSession(endpoint) { return }
        probed.insert(endpoint)
        guard let thing = things[endpoint] else { return apply([.probed(endpoint, .nothing(.refused))]) }
        apply([.probed(endpoint, thing.outcome(pin: pin(demandedAt: endpoint)))])
    }

    private func pin(demandedAt endpoint: Endpoint) -> LeafFingerprint? {
        let pinned = asksWithPins ? cases.filter { $0.trust == .pinned && $0.places[0] == endpoint } : []
        guard case .pinned(let pin)? = pinned.first.map(stored)?.trust else { return nil }
        return pin
    }

    /// Indicates whether a probe of an endpoint demands another certificate than the one that is shown there.
    func isAskedForAnother(_ endpoint: Endpoint) -> Bool {
        guard let pin = pin(demandedAt: endpoint), let shown = things[endpoint]?.outcome().shownLeaf else {
            return false
        }
        return shown != pin
    }

    /// Notes that an endpoint that had answered does not answer.
    mutating func miss(_ endpoint: Endpoint, _ liveness: Liveness) {
        guard things[endpoint] == nil, hasAnswered(endpoint), !isInSession(endpoint) else { return }
        apply([.liveness(endpoint, liveness)])
    }

    private func isInSession(_ endpoint: Endpoint) -> Bool {
        sessions.values.contains { $0.live.values.contains(endpoint) }
    }

    private func hasAnswered(_ endpoint: Endpoint) -> Bool {
        map.gateways.contains { row in
            row.paths.contains { $0.endpoint == endpoint && $0.outcome?.identity != nil }
        }
    }

    /// Asks everything until nothing new is found.
    mutating func settle() {
        isReached = true
        let network = network
        apply(paired.lookAgain(network: { network($0) }))
        for _ in 0..<2 {
            // A session that is lost is the last to have said so.
            for paired in cases { runSession(of: paired, for: .seconds(60)) }
            for endpoint in asked.sorted() {
                probe(endpoint)
                if things[endpoint] == nil { miss(endpoint, .gone) }
            }
        }
        for paired in cases { runSession(of: paired, for: .seconds(60)) }
    }

    // MARK: Changes

    private mutating func pairOne() {
        let trust = PairedCase.Trust.allCases[random.draw(4)]
        let hasFingerprint = random.draw(3) != 0
        let number = cases.count
        let isSameFront = random.draw(2) == 0
        let taken = Set(cases.flatMap(\.places))
        guard let place = free(besides: taken) else { return }
        // The one token of a gateway is not sent without TLS.
        let isPinned = trust == .pinned
        let thing = PairedThing(
            dialect: hasFingerprint ? .optaplus : isPinned && random.draw(2) == 0 ? .openAgents : .openClaw,
            fingerprint: hasFingerprint ? "gateway \(number)" : nil,
            leaf: trust == .pinned || trust == .certified ? (isSameFront ? 1 : UInt8(10 + number)) : nil
        )
        things[place] = thing
        let id = PairingID(using: &ids)
        cases.append(PairedCase(trust: trust, itself: thing, places: [place], id: id, origin: place))
    }

    private mutating func free(besides taken: Set<Endpoint>) -> Endpoint? {
        let free = Self.places.filter { things[$0] == nil && !taken.contains($0) }
        return free.isEmpty ? nil : free[random.draw(free.count)]
    }

    mutating func anyPlace() -> Endpoint { Self.places[random.draw(Self.places.count)] }

    /// Lets one thing happen.
    ///
    /// - Returns: What happened, for whoever reads of a failure.
    mutating func step() -> String {
        let chosen = cases[random.draw(cases.count)]
        let home = chosen.places[0]
        switch random.draw(26) {
        case 21:
            guard refusals[home] == nil else {
                refusals[home] = nil
                return "\(home) refuses no session any more"
            }
            let isForGood = random.draw(2) == 0
            refusals[home] = SessionRefusal(
                dialect: chosen.itself.dialect,
                reason: isForGood ? .accessDenied : .rateLimited,
                credential: .deviceToken,
                retryAfter: isForGood ? nil : .seconds(600)
            )
            return "\(home) refuses every session\(isForGood ? "" : " for now")"
        case 22, 23, 24, 25: return advertise(chosen)
        case 0, 1:
            things[home] = nil
            return "the gateway at \(home) stops"
        case 2, 3:
            things[home] = chosen.itself
            return "the gateway at \(home) is back"
        case 4:
            let place = anyPlace()
            guard things[place] == nil else { return "-" }
            things[place] = chosen.itself
            if random.draw(2) == 0 { things[home] = nil }
            lead(to: place)
            return "the gateway of \(home) is at \(place)"
        case 5:
            var other = chosen.itself
            other.leaf = other.leaf == nil ? nil : UInt8(100 + random.draw(3))
            if other.fingerprint != nil, random.draw(3) == 0 { other.fingerprint = "renewed \(random.draw(3))" }
            things[home] = other
            return "another certificate at \(home)"
        case 6, 7:
            let place = random.draw(2) == 0 ? home : anyPlace()
            var forged = chosen.itself
            forged.leaf = random.draw(2) == 0 ? nil : UInt8(200 + random.draw(2))
            guard place == home || things[place] == nil else { return "-" }
            things[place] = forged
            lead(to: place)
            return "an impostor of \(home) at \(place)"
        case 8:
            let place = random.draw(2) == 0 ? home : anyPlace()
            guard place == home || things[place] == nil else { return "-" }
            let isTold = random.draw(2) == 0
            things[place] = PairedThing(
                dialect: isTold ? .optaplus : .openClaw,
                fingerprint: isTold ? "stranger" : nil,
                leaf: [nil, 1, 250][random.draw(3)]
            )
            lead(to: place)
            return "a stranger at \(place)"
        case 9:
            things[home] = PairedThing(dialect: .optaplus, leaf: chosen.itself.leaf, isFrontAlone: true)
            return "only the front of \(home)"
        case 10:
            router = router == 1 ? 2 : 1
            isReached = random.draw(2) == 0
            let network = network
            apply(paired.lookAgain(network: { network($0) }))
            return "router \(router)"
        case 11:
            let own = UInt8(truncatingIfNeeded: home.address.number)
            machines[home.address] = machines[home.address] == own ? 99 : own
            let network = network
            apply(paired.lookAgain(network: { network($0) }))
            return "machine \(machines[home.address] ?? 0) has \(home.address)"
        case 12:
            guard chosen.trust == .pinned, let thing = things[home], thing.leaf != nil, !thing.isFrontAlone,
                let index = cases.firstIndex(where: { $0.id == chosen.id }),
                (thing.fingerprint == nil) == (chosen.itself.fingerprint == nil),
                thing.dialect == chosen.itself.dialect,
                !cases.contains(where: {
                    $0.id != chosen.id && $0.itself.fingerprint != nil && $0.itself.fingerprint == thing.fingerprint
                })
            else { return "-" }
            // The pairing takes on the fingerprint that is told with the certificate.
            cases[index].itself = thing
            report()
            reportBots(of: chosen)
            return "the certificate at \(home) is trusted"
        case 13:
            let place = known.sorted()[random.draw(known.count)]
            miss(place, random.draw(2) == 0 ? .suspect : .gone)
            return "\(place) is missed"
        case 14:
            runSession(of: chosen, for: .seconds(random.draw(5)))
            return "a session with \(home)"
        case 15: return "\(toggleSession(of: chosen)) with \(home)"
        case 16:
            // Whatever else the views show, they ask the places that pairings remember.
            let others = known.subtracting(cases.flatMap(\.places)).sorted()
            guard !others.isEmpty else { return "-" }
            let place = others[random.draw(others.count)]
            known.remove(place)
            apply([.endpointRemoved(place)])
            return "nothing leads to \(place) any more"
        default:
            let places = known.union(advertised).sorted()
            let place = places[random.draw(places.count)]
            probe(place)
            if things[place] == nil { miss(place, .suspect) }
            return "\(place) is asked"
        }
    }

    // MARK: Views

    /// Returns the paths that a session with a gateway is offered now, from what the sessions know of the map.
    func offer(_ chosen: PairedCase) -> PathOffer {
        let pairing = stored(current(chosen))
        let rowID = paired.row(of: chosen.id)
        let network = network
        return PathChoice(
            pairing,
            paired.marks(of: chosen.id) ?? pairing.marks { network($0) },
            rowID: rowID,
            rows: rows.rows(concerning: pairing, rowID: rowID)
        ).offer
    }

    func row(of chosen: PairedCase) -> Gateway? { paired.row(of: chosen.id).flatMap { map[$0] } }

    /// Returns the state that the session with a gateway shows; `nil` if none is wanted.
    func session(of chosen: PairedCase) -> SessionState? { sessions[chosen.id]?.machine.state }

    // MARK: Sessions

    private mutating func toggleSession(of chosen: PairedCase) -> String {
        if sessions[chosen.id] != nil {
            handle(.stop, of: chosen)
            sessions[chosen.id] = nil
            return "no session is wanted"
        }
        let session = KeptWorldSession(
            machine: SessionMachine(generator: SeededGenerator(seed: random.next()), now: now)
        )
        sessions[chosen.id] = session
        handle(.start, of: chosen)
        return "a session is wanted"
    }

    /// Stores where a session was established, as the sessions do.
    private mutating func noteVerified(_ chosen: PairedCase, at endpoint: Endpoint) {
        guard let index = cases.firstIndex(where: { $0.id == chosen.id }) else { return }
        var pairing = stored(cases[index])
        pairing.noteVerified(at: endpoint)
        guard cases[index].places != pairing.endpoints else { return }
        cases[index].places = pairing.endpoints
        lead(to: endpoint)
        report()
    }

    /// Returns a paired gateway as it is stored now.
    private func current(_ chosen: PairedCase) -> PairedCase { cases.first { $0.id == chosen.id } ?? chosen }

    /// Passes an event to a session and performs what follows, one after the other: a connection answers later.
    private mutating func handle(_ event: SessionEvent, of chosen: PairedCase) {
        pending.append((event, chosen))
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        while let (event, chosen) = pending.popFirst() {
            let actions = sessions[chosen.id]?.machine.handle(event, at: now) ?? []
            perform(actions, of: chosen)
        }
    }

    /// Lets the session of a gateway see the map and go on for a while.
    private mutating func runSession(of chosen: PairedCase, for time: Duration) {
        guard sessions[chosen.id] != nil else { return }
        let end = now + time
        handle(.offer(offer(chosen)), of: chosen)
        handle(.wake(after: .zero), of: chosen)
        for _ in 0..<200 {
            guard let deadline = sessions[chosen.id]?.machine.deadline, deadline <= end else { break }
            now = max(now, deadline)
            handle(.timePassed, of: chosen)
            handle(.offer(offer(chosen)), of: chosen)
        }
        now = max(now, end)
        handle(.offer(offer(chosen)), of: chosen)
    }

    private mutating func perform(_ actions: [SessionAction], of chosen: PairedCase) {
        for action in actions {
            switch action {
            case .connect(let id, let path):
                sessions[chosen.id]?.paths[id] = path
                dial(id, path, of: chosen)
            case .authenticate(let id):
                guard let path = sessions[chosen.id]?.paths[id], let endpoint = path.endpoint else { continue }
                if let refusal = refusals[endpoint] {
                    let failure = Connections.judged(.refused(refusal), on: path, stored(current(chosen)))
                    handle(.ended(id, failure), of: chosen)
                    continue
                }
                sessions[chosen.id]?.live[id] = endpoint
                var events: [BotMapEvent] = []
                switch things[endpoint]?.outcome() {
                case .gateway(let identity)?:
                    events.append(.probed(endpoint, .gateway(identity)))
                    if let leaf = identity.leaf {
                        events.append(.proved(endpoint, chosen.trust == .pinned ? .pinnedLeaf : .certified, leaf: leaf))
                    } else if !stored(chosen).isElsewhere(endpoint) {
                        events.append(.proved(endpoint, .sameAddress))
                    }
                case .somethingElse?, .nothing?, nil: break
                }
                apply(events)
                handle(.granted(id, tick: nil), of: chosen)
            case .close(let id, _): sessions[chosen.id]?.paths[id] = nil
            case .ping(let id):
                guard let endpoint = sessions[chosen.id]?.live[id], let thing = things[endpoint] else { continue }
                // What has taken the place of the gateway knows nothing of its connections.
                if sessions[chosen.id]?.peers[id] == thing {
                    handle(.signOfLife(id), of: chosen)
                } else {
                    handle(.ended(id, .unreachable), of: chosen)
                }
            case .established(let id, _):
                guard let endpoint = sessions[chosen.id]?.live[id] else { continue }
                sessions[chosen.id]?.peers[id] = things[endpoint]
                // If the former session had another endpoint, its liveness ends with it.
                for (former, place) in sessions[chosen.id]?.live ?? [:] where former != id {
                    if place != endpoint { apply([.sessionLiveness(place, nil)]) }
                    sessions[chosen.id]?.live[former] = nil
                }
                noteVerified(chosen, at: endpoint)
            case .liveness(let id, let sign):
                guard let endpoint = sessions[chosen.id]?.live[id] else { continue }
                let liveness: Liveness? = sign.map { $0 == .answering ? .answering : .suspect }
                apply([.sessionLiveness(endpoint, liveness)])
                if sign == nil { sessions[chosen.id]?.live[id] = nil }
            case .report(let state):
                guard let row = paired.row(of: chosen.id), let bot = BotID("b") else { continue }
                let key = BotKey(gateway: row, bot: bot)
                let before = sessions[chosen.id]?.botState ?? .paired
                sessions[chosen.id]?.botState = state.botState
                apply(before.steps(to: state.botState).map { .stateChanged(key, $0) })
            case .revoke: break
            }
        }
    }

    /// Says of a row that is another one now what its session does.
    private mutating func reportBots(of chosen: PairedCase) {
        guard let row = row(of: chosen), let state = sessions[chosen.id]?.botState,
            let bot = row.bots.first(where: \.isPaired)
        else { return }
        apply(bot.state.steps(to: state).map { .stateChanged(bot.id, $0) })
    }

    /// Connects, and finds what is there.
    private mutating func dial(_ id: AttemptID, _ path: SessionPath, of chosen: PairedCase) {
        guard let endpoint = path.endpoint, let thing = things[endpoint], !thing.isFrontAlone else {
            return handle(.ended(id, .unreachable), of: chosen)
        }
        guard case .gateway(let identity) = thing.outcome() else { return }
        let pairing = stored(current(chosen))
        switch (chosen.trust, identity.leaf) {
        case (.pinned, nil), (.certified, nil): return handle(.ended(id, .unreachable), of: chosen)
        case (.pinned, let leaf?) where .pinned(leaf) != pairing.trust:
            return handle(.ended(id, .wrongLeaf(leaf)), of: chosen)
        // The system vouches for the gateway's own certificate alone.
        case (.certified, _) where thing.leaf != current(chosen).itself.leaf:
            return handle(.ended(id, .blocked(.refused(.notCertified))), of: chosen)
        case (.address, _?), (.lan, _?): return handle(.ended(id, .unreachable), of: chosen)
        default: break
        }
        let shown: TrustAttempt.Shown =
            switch (chosen.trust, identity.leaf) {
            case (.certified, let leaf): .certified(host: "gateway.example", leaf: leaf)
            case (_, let leaf?): .leaf(leaf)
            case (_, nil): .plain
            }
        isReached = true
        let decision = Connections.decision(path, pairing, shown, endpoint, network(to: endpoint.address))
        guard decision.isAllowed else {
            handle(.opened(id, decision), of: chosen)
            if case .moved = decision, let row = row(of: chosen) { apply(lookAt(row)) }
            return
        }
        let told = pairing.terms.decision(told: identity.fingerprint)
        guard told.isAllowed, thing.dialect == pairing.dialect else {
            let failure = told.isAllowed ? SessionFailure.unreachable : .blocked(told)
            return handle(.ended(id, Connections.judged(failure, on: path, pairing)), of: chosen)
        }
        handle(.opened(id, .allowed), of: chosen)
    }

    private mutating func lookAt(_ row: Gateway) -> [BotMapEvent] {
        let network = network
        return paired.look(row, network: { network($0) })
    }
}

/// The session of a ``PairedWorld`` with one gateway.
struct KeptWorldSession {
    var machine: SessionMachine<SeededGenerator>
    var paths: [AttemptID: SessionPath] = [:]
    var live: [AttemptID: Endpoint] = [:]

    /// The things that were there when sessions were granted.
    var peers: [AttemptID: PairedThing] = [:]
    var botState = BotState.paired
}

extension IPAddress {
    /// Its last byte.
    fileprivate var number: UInt32 {
        switch self {
        case .v4(let address): address.bits & 0xFF
        case .v6: 0
        }
    }
}
