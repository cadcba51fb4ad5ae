import DNSSD
import GatewayProtocol
import Reports
import Scanning
import Testing

@testable import Agent
@testable import Pairing

/// The gateways that are watched, whatever happens to their rows: of what only looks as if a gateway had gone, nobody is told.
@Suite struct WatchedFactsTests {
    private var facts = WatchedFacts()
    private var rules: NoticeRules
    private var now = ContinuousClock.now
    private var time = Timestamp("2026-11-26T12:00:00.000Z")!
    private var actions: [NoticeAction] = []

    /// The state of the map, the settings and the store.
    private var rows: [Gateway] = []
    private var sessions: [ShownSession] = []
    private var named: [NamedPlace] = []
    private var policy = NoticePolicy()
    private var hasNetwork = true

    private static let first = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0001)), port: 3_000)
    private static let second = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0002)), port: 3_000)

    init() {
        rules = NoticeRules(NoticePolicy(), at: Moment(instant: now, time: time, minuteOfDay: 720))
    }

    /// Has the agent begin anew with what it has remembered.
    private mutating func restart() {
        var remembered: [String: RememberedGateway] = [:]
        for action in actions {
            switch action {
            case .remember(let subject, let memory): remembered[subject.key] = RememberedGateway(subject, memory)
            case .forget(let key): remembered[key] = nil
            default: continue
            }
        }
        let all = remembered.values.sorted { $0.subject.key < $1.subject.key }
        facts = WatchedFacts(all)
        rules = NoticeRules(policy, all, at: Moment(instant: now, time: time, minuteOfDay: 720))
    }

    /// Lets time pass.
    private mutating func wait(_ seconds: Int) {
        for _ in 0..<max(1, seconds) {
            now += .seconds(1)
            time = time.advanced(by: .seconds(1))
            let snapshot = ConstellationSnapshot(
                revision: 1,
                gateways: rows,
                services: [],
                backends: [],
                sessions: sessions,
                missedProblems: []
            )
            let hasNetwork = hasNetwork
            let found = facts.facts(snapshot, policy.watched, named: named, heard: LastAnswers(), now: now) { _ in
                hasNetwork
            }
            rules.policy = policy
            actions += rules.take(
                found,
                revoked: facts.revocations(policy.watched),
                at: Moment(instant: now, time: time, minuteOfDay: 720)
            )
        }
    }

    /// A name that the user has given to the gateway with a fingerprint.
    private static func alias(_ name: String = "Attic", of fingerprint: String = "home") -> GatewayAlias {
        GatewayAlias(
            gatewayID: "fingerprint:\(fingerprint)",
            fingerprint: GatewayFingerprint(fingerprint),
            leaf: nil,
            name: name
        )
    }

    private mutating func name(_ aliases: GatewayAlias...) { facts.take(StoredAccess(pairings: [], aliases: aliases)) }

    private static func row(
        _ liveness: Liveness? = .answering,
        as fingerprint: String = "home",
        at endpoints: [Endpoint] = [first],
        isManual: Bool = false,
        answers: Bool = true,
        id: GatewayID? = nil,
        silence: NoAnswer? = nil,
        alias: GatewayAlias? = nil
    ) throws -> Gateway {
        let fingerprint = try #require(GatewayFingerprint(fingerprint))
        let identity = GatewayIdentity(fingerprint: fingerprint, name: "Home", dialect: .optaplus, leaf: nil)
        return Gateway(
            id: id ?? .fingerprint(fingerprint),
            fingerprint: answers ? fingerprint : nil,
            name: alias?.name ?? (answers ? "Home" : ""),
            services: [],
            bots: [],
            botsLeftOut: 0,
            flags: [],
            isPaired: false,
            foundLeaf: nil,
            alias: alias,
            otherNames: alias != nil && answers ? ["Home"] : [],
            paths: endpoints.map { endpoint in
                GatewayPath(
                    endpoint: endpoint,
                    reach: .local,
                    isManual: isManual,
                    outcome: answers ? .gateway(identity) : nil,
                    proof: .unproved,
                    liveness: liveness,
                    roundTrip: nil,
                    waiting: nil,
                    isFlooding: false,
                    contradicts: false,
                    isElsewhere: false,
                    silence: silence,
                    leads: endpoint == endpoints.first
                )
            }
        )
    }

    private static func pairing() throws -> StoredPairing {
        StoredPairing(
            gatewayID: "fingerprint:home",
            fingerprint: GatewayFingerprint("home"),
            name: "Home",
            dialect: .optaplus,
            trust: .certified(host: "home.example"),
            endpoints: [first],
            pairedAt: 1
        )
    }

    private static func named(_ text: String, _ found: Set<Endpoint> = []) throws -> NamedPlace {
        NamedPlace(try ProbeAddress(text), found)
    }

    /// The messages, in short.
    private var told: [String] {
        actions.compactMap { if case .tell(let notice) = $0 { notice.kind.rawValue } else { nil } }
    }

    private var outages: Int { actions.count { if case .outageBegan = $0 { true } else { false } } }

    private var endedOutages: Int { actions.count { if case .outageEnded = $0 { true } else { false } } }

    // MARK: Gone

    @Test mutating func aRowThatIsLostIsGoneAndBack() throws {
        policy.watched = .all
        rows = [try Self.row()]
        wait(5)
        rows = []
        wait(5)
        #expect(told == ["gone"])
        rows = [try Self.row()]
        wait(5)
        #expect(told == ["gone", "back"])
    }

    /// Its service is found again, and nobody answers there.
    @Test mutating func aRowThatHasNotAnsweredIsNobodysReturn() throws {
        policy.watched = .all
        rows = [try Self.row()]
        wait(5)
        rows = [try Self.row(nil, answers: false, id: .candidate(.endpoint(Self.first)))]
        wait(60)
        #expect(told == ["gone"] && endedOutages == 0)
    }

    /// Something else answers at its port.
    @Test mutating func whatAnswersInItsPlaceIsNotTheGateway() throws {
        policy.watched = .all
        rows = [try Self.row()]
        wait(5)
        rows = [try Self.row(answers: false)]
        wait(5)
        #expect(told == ["gone"])
    }

    @Test mutating func anotherGatewayAtItsAddressIsNotIts() throws {
        policy.watched = .all
        rows = [try Self.row()]
        wait(5)
        rows = [try Self.row(as: "other")]
        wait(5)
        #expect(told == ["gone"])
        rows = [try Self.row(as: "other"), try Self.row(at: [Self.second])]
        wait(5)
        #expect(told == ["gone", "back"])
    }

    @Test mutating func aKilledGatewayHasAReason() throws {
        named = [try Self.named("10.0.0.1:3000")]
        rows = [try Self.row()]
        wait(5)
        rows = [try Self.row(.gone, silence: .refused)]
        wait(1)
        rows = [try Self.row(.gone)]
        wait(1)
        let reasons = actions.compactMap { action -> String? in
            if case .outageBegan(_, _, let reason, _) = action { reason } else { nil }
        }
        #expect(told == ["gone"] && reasons == ["connection refused"])
        rows = [try Self.row()]
        wait(400)
        rows = [try Self.row(.gone)]
        wait(1)
        guard case .tell(let notice) = actions.last(where: { if case .tell = $0 { true } else { false } }) else {
            return
        }
        #expect(notice.kind == .gone && notice.reason == "no answer")
    }

    /// A gateway with a name from the user is one of the user's own, without a pairing or a setting.
    @Test mutating func aNamedGatewayIsWatched() throws {
        name(Self.alias())
        rows = [try Self.row(alias: Self.alias()), try Self.row(as: "other", at: [Self.second])]
        wait(5)
        rows = []
        wait(20)
        #expect(told == ["gone"] && outages == 1)
        rows = [try Self.row(alias: Self.alias())]
        wait(10)
        #expect(told == ["gone", "back"])
    }

    /// Without its name, it is a stranger's again; under another one, it is the same.
    @Test mutating func aNamedGatewayIsWatchedForAsLongAsItIsNamed() throws {
        name(Self.alias())
        rows = [try Self.row(alias: Self.alias())]
        wait(5)
        name(Self.alias("Cellar"))
        rows = []
        wait(20)
        #expect(told == ["gone"])
        rows = [try Self.row(alias: Self.alias("Cellar"))]
        wait(10)
        name()
        rows = [try Self.row()]
        wait(5)
        rows = []
        wait(60)
        #expect(told == ["gone", "back"] && outages == 1)
    }

    /// A gateway that claims to be one that the user has named makes the map show the name nowhere; the one that had it
    /// is watched nevertheless, and the claimant is not.
    @Test mutating func aClaimantTakesNoNameAway() throws {
        name(Self.alias())
        let claimant = GatewayID.candidate(.endpoint(Self.second))
        rows = [try Self.row(alias: Self.alias())]
        wait(5)
        rows = [try Self.row(), try Self.row(at: [Self.second], id: claimant)]
        wait(5)
        rows = [try Self.row(.gone), try Self.row(at: [Self.second], id: claimant)]
        wait(20)
        #expect(told == ["gone"])
        rows = [try Self.row()]
        wait(60)
        #expect(told == ["gone", "back"] && outages == 1)
    }

    /// It died while no agent ran, or before: that, or its return, is told.
    @Test(arguments: [true, false])
    mutating func aNamedGatewayIsWatchedByTheNextAgent(diesBefore: Bool) throws {
        name(Self.alias())
        rows = [try Self.row(alias: Self.alias())]
        wait(5)
        rows = diesBefore ? [] : rows
        wait(20)
        restart()
        name(Self.alias())
        rows = []
        wait(60)
        #expect(told == ["gone"])
        // It answers at another place.
        rows = [try Self.row(at: [Self.second], alias: Self.alias())]
        wait(60)
        #expect(told == ["gone", "back"])
    }

    /// It is named for good: also after a day without it.
    @Test mutating func aNamedGatewayIsWaitedForLongerThanADay() throws {
        name(Self.alias())
        rows = [try Self.row(alias: Self.alias())]
        wait(5)
        rows = []
        wait(20)
        now += .seconds(100_000)
        time = time.advanced(by: .seconds(100_000))
        wait(20)
        rows = [try Self.row(alias: Self.alias())]
        wait(10)
        #expect(told == ["gone", "back"])
    }

    /// What answers at the address of a gateway that is known by its host's certificate shows none that the system trusts: it is
    /// another one, unless a session has found the gateway.
    @Test mutating func whatIsNotCertifiedIsNotTheGateway() throws {
        let pairing = try Self.pairing()
        func session(_ state: ShownSession.State) -> ShownSession {
            ShownSession(
                id: state.rawValue,
                pairing: "\(pairing.id)",
                gateway: pairing.gatewayID,
                name: "Home",
                bots: [],
                state: state,
                since: now
            )
        }
        facts.take(StoredAccess(pairings: [pairing]))
        rows = [try Self.row()]
        sessions = [session(.connected), session(.uncertified)]
        wait(20)
        #expect(told.isEmpty)
        sessions = [session(.uncertified)]
        wait(300)
        #expect(told == ["gone", "uncertified"] && outages == 1 && endedOutages == 0)
        sessions = [session(.connected)]
        wait(5)
        #expect(told == ["gone", "uncertified", "back"] && endedOutages == 1)
    }

    /// The message says why, and what to type.
    @Test mutating func aRefusalIsToldWithItsReason() throws {
        let pairing = try Self.pairing()
        facts.take(StoredAccess(pairings: [pairing]))
        rows = [try Self.row()]
        sessions = [
            ShownSession(
                id: "1",
                pairing: "\(pairing.id)",
                gateway: pairing.gatewayID,
                name: "Home",
                bots: [],
                state: .refused,
                reason: "expected an approval, found that the request was rejected. Ask the gateway's operator.",
                since: now
            )
        ]
        wait(20)
        let notice = try #require(actions.compactMap { if case .tell(let notice) = $0 { notice } else { nil } }.last)
        #expect(notice.text == "Expected an approval, found that the request was rejected. Ask the gateway's operator.")
    }

    // MARK: Not gone

    @Test mutating func aGatewayThatIsPairedIsNotGone() throws {
        policy.watched = .all
        rows = [try Self.row()]
        wait(5)
        facts.take(StoredAccess(pairings: [try Self.pairing()]))
        wait(60)
        #expect(told.isEmpty && outages == 0)
    }

    /// A pairing that its gateway has ended is in the bin at once, and its gateway is not watched any more: that is told, by
    /// the name that its row had.
    @Test(arguments: [NoticePolicy.Watched.own, .named(["Home"]), .named(["Other"]), .none])
    mutating func aRevokedPairingIsToldOf(watched: NoticePolicy.Watched) throws {
        policy.watched = watched
        let pairing = try Self.pairing()
        facts.take(StoredAccess(pairings: [pairing]))
        rows = [try Self.row()]
        wait(5)
        let item = BinnedPairing(
            pairing: pairing,
            reason: .revoked("invalid token"),
            time: time.milliseconds,
            isWhole: true
        )
        facts.take(StoredAccess(pairings: [], revoked: [item]))
        wait(60)
        let isWatched = watched == .own || watched == .named(["Home"])
        #expect(told == (isWatched ? ["revoked"] : []) && outages == 0)
        #expect(facts.revocations(.own).map(\.subject) == [Notice.Subject(key: "\(pairing.id)", name: "Home")])
    }

    /// Its row has been asked at the address of the pairing, which is not one that the user has named.
    @Test(arguments: [NoticePolicy.Watched.own, .all])
    mutating func aGatewayThatIsUnpairedIsNotGone(watched: NoticePolicy.Watched) throws {
        policy.watched = watched
        facts.take(StoredAccess(pairings: [try Self.pairing()]))
        rows = [try Self.row(isManual: true)]
        wait(5)
        facts.take(StoredAccess(pairings: []))
        wait(5)
        rows = [try Self.row()]
        wait(5)
        rows = watched == .all ? rows : []
        wait(60)
        #expect(told.isEmpty && outages == 0)
    }

    @Test mutating func aGatewayThatIsNamedNoMoreIsNotGone() throws {
        named = [try Self.named("10.0.0.1:3000")]
        rows = [try Self.row(isManual: true)]
        wait(5)
        named = []
        wait(5)
        rows = []
        wait(60)
        #expect(told.isEmpty && outages == 0)
    }

    @Test(arguments: [NoticePolicy.Watched.own, .none, .named(["Other"])])
    mutating func otherWishesAreNoOutage(watched: NoticePolicy.Watched) throws {
        policy.watched = .all
        rows = [try Self.row()]
        wait(5)
        policy.watched = watched
        wait(5)
        rows = []
        wait(60)
        policy.watched = .all
        wait(60)
        #expect(told.isEmpty && outages == 0)
    }

    @Test mutating func aRowThatJoinsAnotherIsNotGone() throws {
        policy.watched = .all
        let plain = GatewayID.candidate(.endpoint(Self.second))
        rows = [try Self.row(), try Self.row(at: [Self.second], id: plain)]
        wait(5)
        rows = [try Self.row(at: [Self.first, Self.second])]
        wait(60)
        #expect(told.isEmpty && outages == 0)
    }

    /// Two rows of one gateway are two outages while they are apart. When one joins the other in the outage, that of the lost
    /// row has its end, that of the other goes on, and only the other is told to be back.
    @Test mutating func aRowThatJoinsAnotherInAnOutageEndsItsOwn() throws {
        policy.watched = .all
        let plain = GatewayID.candidate(.endpoint(Self.second))
        rows = [try Self.row(), try Self.row(at: [Self.second], id: plain)]
        wait(5)
        rows = [try Self.row(.gone), try Self.row(.gone, at: [Self.second], id: plain)]
        wait(20)
        #expect(told == ["gone"] && outages == 2 && endedOutages == 0)
        rows = [try Self.row(.gone, at: [Self.first, Self.second])]
        wait(20)
        #expect(told == ["gone"] && outages == 2 && endedOutages == 1)
        rows = [try Self.row(at: [Self.first, Self.second])]
        wait(20)
        #expect(told == ["gone", "back"] && outages == 2 && endedOutages == 2)
    }

    /// While no network leads anywhere, services are lost with their rows.
    @Test mutating func aRowThatIsLostWithTheNetworkIsNotGone() throws {
        policy.watched = .all
        rows = [try Self.row()]
        wait(5)
        hasNetwork = false
        rows = []
        wait(60)
        hasNetwork = true
        wait(5)
        rows = [try Self.row()]
        wait(30)
        #expect(told == ["cut-off", "reconnected"] && outages == 0)
    }

    /// A gateway is watched by any of its names: one that the user gives it takes no alarm away, and nor does the next start of the
    /// agent.
    @Test(arguments: [true, false], ["Home", "Attic"])
    mutating func aNameFromTheUserTakesNoAlarmAway(isPaired: Bool, watched: String) throws {
        policy.watched = .named([watched])
        var pairing = try Self.pairing()
        (pairing.name, pairing.ownName) = ("Attic", "Home")
        facts.take(StoredAccess(pairings: isPaired ? [pairing] : [], aliases: [Self.alias()]))
        rows = [try Self.row(alias: Self.alias())]
        wait(5)
        if isPaired { #expect(facts.chosenNames.contains("Home")) }
        rows = [try Self.row(.gone, alias: Self.alias())]
        wait(20)
        #expect(told == ["gone"])
        // All messages have the one name, also after its row has been lost.
        rows = []
        wait(20)
        rows = [try Self.row(alias: Self.alias())]
        wait(10)
        #expect(told == ["gone", "back"])
        let titles = actions.compactMap { if case .tell(let notice) = $0 { notice.title } else { nil } }
        #expect(titles.allSatisfy { $0.contains("Attic") && !$0.contains("Home") }, "\(titles)")
    }

    /// A list of names says whom to watch, and goes on to mean them after they have taken another name.
    @Test mutating func aGatewayThatTakesAnotherNameIsStillWatched() throws {
        policy.watched = .named(["Home"])
        rows = [try Self.row()]
        wait(5)
        rows = [
            Gateway(
                id: rows[0].id,
                fingerprint: rows[0].fingerprint,
                name: "Studio",
                services: [],
                bots: [],
                botsLeftOut: 0,
                flags: [],
                isPaired: false,
                foundLeaf: nil,
                paths: rows[0].paths
            )
        ]
        wait(70)
        let names = actions.compactMap { if case .remember(let subject, _) = $0 { subject.name } else { nil } }
        #expect(names == ["Home", "Studio"])
        rows = []
        wait(5)
        #expect(told == ["gone"])
    }

    // MARK: Named gateways

    /// A gateway that the settings name is one, however many addresses it has and whatever its row is called.
    @Test mutating func aNamedGatewayIsWatchedByItsAddress() throws {
        named = [try Self.named("studio.example:3000", [Self.first, Self.second]), try Self.named("10.0.0.2:3000")]
        rows = [try Self.row(at: [Self.first, Self.second])]
        wait(5)
        rows = [try Self.row(at: [Self.second])]
        wait(5)
        rows = [try Self.row(at: [Self.second], id: .candidate(.endpoint(Self.second)))]
        wait(60)
        #expect(told.isEmpty && outages == 0)
        let keys = Set(actions.compactMap { if case .remember(let subject, _) = $0 { subject.key } else { nil } })
        #expect(keys == ["endpoint:studio.example:3000"])
        rows = []
        wait(10)
        #expect(told == ["gone"])
    }

    /// An agent that starts again in the outage of a gateway that is not paired tells its return.
    @Test(arguments: [true, false])
    mutating func theReturnAfterARestartIsTold(isNamed: Bool) throws {
        named = isNamed ? [try Self.named("10.0.0.1:3000")] : []
        policy.watched = isNamed ? .own : .all
        rows = [try Self.row()]
        wait(5)
        rows = [try Self.row(.gone)]
        wait(5)
        #expect(told == ["gone"])
        restart()
        rows = isNamed ? [try Self.row(nil, answers: false, id: .candidate(.endpoint(Self.first)))] : []
        wait(600)
        #expect(told == ["gone"] && outages == 1 && endedOutages == 0)
        rows = [try Self.row()]
        wait(5)
        #expect(told == ["gone", "back"] && outages == 1 && endedOutages == 1)
    }

    /// Nobody has looked up its name yet.
    @Test mutating func aNamedGatewayWithoutAnswerIsNoNews() throws {
        named = [try Self.named("studio.example:3000")]
        wait(300)
        #expect(actions.isEmpty)
    }
}
