import Constellation
import DNSSD
import GatewayProtocol
import TestSupport
import Testing

/// The merging of endpoints: which are one gateway, who leads it, and what is flagged.
@Suite struct MergingTests {
    private var map = BotMap()
    private let home = GatewayID.fingerprint(Samples.fingerprint("home"))

    private func ids() -> [GatewayID] { map.gateways.map(\.id) }

    private func lead(_ name: String, type: String = "openclaw") -> GatewayID {
        .candidate(.service(Samples.instance(name, type: type)))
    }

    /// Whoever takes the place of one that is asked again is shown at its end. In a look that asks nobody twice there is no
    /// such end, and nothing may be left out for it.
    @Test(arguments: [true, false]) func whoTakesAPlaceIsWithheldOnlyWhereMoreIsToCome(asksRepeatedly: Bool) {
        var map = BotMap(asksRepeatedly: asksRepeatedly)
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "old", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("old")),
            .serviceFound(Samples.service("a", fp: "new", at: [1, 2])),
            .probed(Samples.endpoint(2), Samples.answer("new")),
        ])
        let isShown = map.gateways.contains { $0.fingerprint == Samples.fingerprint("new") }
        #expect(isShown == !asksRepeatedly)
    }

    // MARK: Before anything has answered

    @Test mutating func candidatesOfOneEndpointAreOneRow() {
        map.apply(all: [
            .serviceFound(Samples.service("a", at: [1, 2])),
            .serviceFound(Samples.service("b", type: "openclaw-gw", at: [1, 2])),
            .endpointAdded(Samples.endpoint(1), .local),
        ])
        #expect(ids() == [lead("a")])
        #expect(map.gateways.first?.services.count == 2)
        #expect(map.gateways.first?.paths.map(\.isManual) == [true, false])
    }

    @Test mutating func aServiceThatNeverAnsweredGoesWhenItIsLost() {
        map.apply(all: [.serviceFound(Samples.service("a", at: [1])), .serviceLost(Samples.instance("a"))])
        #expect(map.gateways.isEmpty)
    }

    @Test mutating func whatWaitsSaysWhy() {
        map.apply(all: [
            .serviceFound(Samples.service("a", at: [1])), .waiting(Samples.endpoint(1), .addressBudget),
        ])
        #expect(map.gateways.first?.paths.first?.waiting == .addressBudget)
        map.apply(.probed(Samples.endpoint(1), .nothing(.refused)))
        #expect(map.gateways.first?.paths.first?.waiting == nil)
    }

    /// A flooding gateway is suspect whatever it answers, and gone when it does not.
    @Test mutating func whatFloodsIsSuspect() {
        let endpoint = Samples.endpoint(1)
        map.apply(all: [.serviceFound(Samples.service("a", at: [1])), .probed(endpoint, Samples.answer("home"))])
        #expect(map.apply(.flooding(endpoint, true)).count == 1)
        #expect(map[home]?.liveness == .suspect && map[home]?.isFlooding == true)
        #expect(map.apply(.flooding(endpoint, true)).isEmpty)
        map.apply(all: [.liveness(endpoint, .answering), .probed(endpoint, Samples.answer("home"))])
        #expect(map[home]?.liveness == .suspect && map[home]?.isFlooding == true)
        map.apply(.liveness(endpoint, .gone))
        #expect(map[home]?.liveness == .gone && map[home]?.isFlooding == false)
        map.apply(all: [.liveness(endpoint, .answering), .flooding(endpoint, false)])
        #expect(map[home]?.liveness == .answering && map[home]?.isFlooding == false)
        #expect(map[home]?.paths.first?.isFlooding == false)
    }

    /// A gateway that answers on another path as it should is not suspect.
    @Test mutating func whatFloodsOnOnePath() {
        map.apply(all: [
            .serviceFound(Samples.service("a", at: [1, 2])),
            .probed(Samples.endpoint(1), Samples.answer("home")), .probed(Samples.endpoint(2), Samples.answer("home")),
            .flooding(Samples.endpoint(2), true),
        ])
        #expect(map[home]?.liveness == .answering && map[home]?.isFlooding == false)
        #expect(map[home]?.paths.map(\.isFlooding) == [false, true])
    }

    /// A gateway that was shown under its service goes by its fingerprint from its first answer on, and is not lost by
    /// that.
    @Test mutating func theFirstAnswerGivesAnIdentifier() {
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1])))
        #expect(ids() == [lead("a")])
        let changes = map.apply(.probed(Samples.endpoint(1), Samples.answer("home")))
        #expect(changes.map(kind) == ["lost into \(home)", "found"])
        #expect(ids() == [home])
    }

    // MARK: Joining

    @Test mutating func oneGatewayUnderTwoTypesOnTwoInterfaces() {
        map.apply(all: [
            .serviceFound(
                Samples.service("a", fp: "home", host: "Box.local", at: [1, 2], on: [Samples.eth0, Samples.eth1])
            ),
            .serviceFound(
                Samples.service("a", type: "openclaw-gw", fp: "home", host: "box.local", at: [1], port: 18_789)
            ),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .probed(Samples.endpoint(2), Samples.answer("home")),
            .probed(Samples.endpoint(1, port: 18_789), Samples.answer("home")),
        ])
        #expect(ids() == [home])
        #expect(map[home]?.paths.count == 3)
        #expect(map[home]?.services.count == 2)
        #expect(map[home]?.flags == [])
    }

    @Test mutating func withoutAFingerprintOneInstanceIsOneGateway() {
        map.apply(all: [
            .serviceFound(Samples.service("a", at: [1, 2])),
            .serviceFound(Samples.service("b", at: [2, 3])),
            .endpointAdded(Samples.endpoint(1), .local),
            .probed(Samples.endpoint(1), Samples.answer(nil)),
            .probed(Samples.endpoint(2), Samples.answer(nil)),
            .probed(Samples.endpoint(3), Samples.answer(nil)),
        ])
        #expect(ids() == [lead("a")])
        #expect(map.gateways.first?.paths.map(\.endpoint) == [1, 2, 3].map { Samples.endpoint($0) })
    }

    @Test mutating func theAddressesOfOneManualEntryAreOneGateway() {
        map.apply(all: [
            .endpointAdded(Samples.endpoint(1), .local, entry: "host"),
            .endpointAdded(Samples.endpoint(2), .local, entry: "host"),
            .endpointAdded(Samples.endpoint(3), .local),
            .probed(Samples.endpoint(1), Samples.answer(nil)),
            .probed(Samples.endpoint(2), Samples.answer(nil)),
            .probed(Samples.endpoint(3), Samples.answer(nil)),
        ])
        #expect(map.gateways.map(\.paths.count) == [2, 1])
    }

    @Test mutating func theSameLeafIsOneGateway() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .serviceFound(Samples.service("b", fp: "home", at: [2])),
            .probed(Samples.endpoint(1), Samples.answer("home", leaf: 1)),
            .probed(Samples.endpoint(2), Samples.answer("home", leaf: 1)),
        ])
        #expect(ids() == [home])
        map.apply(all: [
            .probed(Samples.endpoint(2), Samples.answer("home", leaf: 2)), .liveness(Samples.endpoint(1), .answering),
        ])
        #expect(map.gateways.count == 2)
    }

    /// Without a fingerprint and a service, a row goes by the address that answered first, which may become another's.
    @Test mutating func whoAnswersAtTheAddressThatARowIsCalledByIsAnother() {
        map.apply(all: [
            .endpointAdded(Samples.endpoint(1), .local, entry: "host"),
            .endpointAdded(Samples.endpoint(2), .local, entry: "host"),
            .probed(Samples.endpoint(1), Samples.answer(nil, leaf: 1)),
            .probed(Samples.endpoint(2), Samples.answer(nil, leaf: 1)),
            .probed(Samples.endpoint(1), Samples.answer(nil, leaf: 2)),
            .liveness(Samples.endpoint(2), .answering),
        ])
        #expect(map.gateways.map { $0.paths.map(\.endpoint) } == [[Samples.endpoint(1)], [Samples.endpoint(2)]])
        #expect(map.inconsistencies().isEmpty)
    }

    /// Its bots are known by its identifier, and it keeps that.
    @Test mutating func whoAnswersAtTheAddressThatAPairedRowIsCalledByIsAnother() {
        let id = GatewayID.candidate(.endpoint(Samples.endpoint(1)))
        map.apply(all: [
            .endpointAdded(Samples.endpoint(1), .local, entry: "host"),
            .endpointAdded(Samples.endpoint(2), .local, entry: "host"),
            .probed(Samples.endpoint(1), Samples.answer(nil, leaf: 1)),
            .probed(Samples.endpoint(2), Samples.answer(nil, leaf: 1)),
            .paired(PairedBot(id: BotKey(gateway: id, bot: Samples.bot("a")))),
            .probed(Samples.endpoint(1), Samples.answer(nil, leaf: 2)),
            .liveness(Samples.endpoint(2), .answering),
        ])
        #expect(map.gateways.count == 2)
        #expect(map[id]?.paths.map(\.endpoint) == [Samples.endpoint(2)])
        #expect(map[id]?.isPaired == true)
    }

    /// A claimant is older than the gateway that is paired, and then both are seen to be one machine.
    @Test mutating func ofTwoRowsOfOneMachineThePairedOneStays() {
        let machine = Machine.neighbour(hardwareAddress: [2, 0, 0, 0, 0, 1])
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .endpointAdded(Samples.endpoint(2), .local),
            .probed(Samples.endpoint(2), Samples.answer("home")),
            .liveness(Samples.endpoint(1), .answering),
            .serviceLost(Samples.instance("a")),
            .liveness(Samples.endpoint(1), .gone),
            .retired(Samples.endpoint(1)),
            .liveness(Samples.endpoint(2), .answering),
            .serviceFound(Samples.service("b", fp: "home", at: [3])),
            .probed(Samples.endpoint(3), Samples.answer("home")),
            .paired(PairedBot(id: BotKey(gateway: home, bot: Samples.bot("x")))),
            .located(Samples.endpoint(2), machine),
            .located(Samples.endpoint(3), machine),
            .serviceFound(Samples.service("b", fp: "home", at: [2, 3])),
        ])
        #expect(map[home]?.paths.count == 2)
        #expect(map[home]?.isPaired == true)
    }

    /// Made-up services fill an endpoint, and go; the one that is still announced is not told of again.
    @Test mutating func whoFoundNoRoomIsLetInWhenSomeoneLeaves() {
        for number in 0..<33 { map.apply(.serviceFound(Samples.service("s\(number)", at: [1]))) }
        for number in 0..<32 { map.apply(.serviceLost(Samples.instance("s\(number)"))) }
        #expect(ids() == [lead("s32")])
        map.apply(.serviceLost(Samples.instance("s32")))
        #expect(map.gateways.isEmpty)
    }

    @Test mutating func twoAddressesOfThisHostAreOneGateway() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .endpointAdded(Samples.endpoint(127), .local),
            .located(Samples.endpoint(1), .thisHost),
            .located(Samples.endpoint(127), .thisHost),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .probed(Samples.endpoint(127), Samples.answer("home")),
        ])
        #expect(ids() == [home])
        #expect(map[home]?.flags == [])
    }

    /// A forged address record would otherwise join any two.
    @Test mutating func noRecordJoinsWhatHasAnsweredApart() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .serviceFound(Samples.service("b", fp: "home", at: [2])),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .probed(Samples.endpoint(2), Samples.answer("home")),
            .liveness(Samples.endpoint(1), .answering),
            .liveness(Samples.endpoint(2), .answering),
            .serviceFound(Samples.service("a", fp: "home", at: [1, 2])),
            .probed(Samples.endpoint(2), Samples.answer("home")),
        ])
        #expect(map.gateways.count == 2)
        #expect(map.gateways.map(\.flags) == [[.sameFingerprint], [.sameFingerprint]])
    }

    @Test mutating func theNeighbourTableJoinsWhatOneInstanceLeadsTo() {
        let machine = Machine.neighbour(hardwareAddress: [2, 0, 0, 0, 0, 9])
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .endpointAdded(Samples.endpoint(2), .local),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .probed(Samples.endpoint(2), Samples.answer("home")),
            .liveness(Samples.endpoint(1), .answering),
            .serviceFound(Samples.service("a", fp: "home", at: [1, 2])),
        ])
        #expect(map.gateways.count == 2)
        map.apply(.located(Samples.endpoint(1), machine))
        #expect(map.gateways.count == 2)
        let changes = map.apply(.located(Samples.endpoint(2), machine))
        #expect(changes.map(kind).first == "lost into \(home)")
        #expect(map[home]?.paths.count == 2)
    }

    @Test(arguments: [true, false])
    mutating func theNeighbourTableJoinsWhenARecordComesLater(isOneMachine: Bool) {
        let machines = [9, isOneMachine ? 9 : 8].map { Machine.neighbour(hardwareAddress: [2, 0, 0, 0, 0, $0]) }
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .endpointAdded(Samples.endpoint(2), .local),
            .located(Samples.endpoint(1), machines[0]),
            .located(Samples.endpoint(2), machines[1]),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .probed(Samples.endpoint(2), Samples.answer("home")),
            .liveness(Samples.endpoint(1), .answering),
        ])
        #expect(map.gateways.count == 2)
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1, 2])))
        #expect(map.gateways.count == (isOneMachine ? 1 : 2))
    }

    // MARK: Staying

    @Test mutating func recordsThatGoLeaveWhatAnswers() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home", bots: ["b"])),
        ])
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1], port: 6_666)))
        #expect(map[home]?.paths.map(\.endpoint) == [Samples.endpoint(1), Samples.endpoint(1, port: 6_666)])
        map.apply(.serviceLost(Samples.instance("a")))
        #expect(map[home]?.liveness == .answering)
        #expect(map[home]?.bots.count == 1)
        #expect(map.apply(.liveness(Samples.endpoint(1), .suspect)).map(kind) == ["changed"])
        #expect(map.apply(.liveness(Samples.endpoint(1), .gone)).map(kind) == ["lost"])
        #expect(map.gateways.isEmpty)
        // What was forgotten too early comes back as it was.
        #expect(map.apply(.liveness(Samples.endpoint(1), .answering)).map(kind) == ["found"])
    }

    @Test mutating func aGatewayThatIsRenamedIsNotTwo() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .serviceLost(Samples.instance("a")),
            .serviceFound(Samples.service("b", fp: "home", at: [1])),
        ])
        #expect(ids() == [home])
        #expect(map[home]?.services == [Samples.instance("b")])
        #expect(map[home]?.flags == [])
    }

    @Test mutating func anotherIdentityIsAnotherRow() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .serviceFound(Samples.service("a", fp: "new", at: [1])),
        ])
        #expect(map[home]?.flags == [])
        let changes = map.apply(.probed(Samples.endpoint(1), Samples.answer("new")))
        #expect(changes.map(kind) == ["lost", "found"])
        #expect(map.gateways.map(\.flags) == [[]])
    }

    @Test mutating func aNewAddressKeepsTheRow() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home", bots: ["b"])),
            .serviceFound(Samples.service("a", fp: "home", at: [2])),
        ])
        #expect(ids() == [home])
        map.apply(all: [
            .probed(Samples.endpoint(2), Samples.answer("home", bots: ["b"])),
            .liveness(Samples.endpoint(1), .gone),
        ])
        #expect(ids() == [home])
        #expect(map[home]?.paths.map(\.endpoint) == [Samples.endpoint(2)])
    }

    @Test mutating func aGatewayThatHasMovedKeepsItsIdentifier() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .serviceLost(Samples.instance("a")),
            .liveness(Samples.endpoint(1), .gone),
            .serviceFound(Samples.service("b", fp: "home", host: "new.local", at: [9])),
            .probed(Samples.endpoint(9), Samples.answer("home")),
        ])
        #expect(ids() == [home])
        #expect(map[home]?.paths.map(\.endpoint) == [Samples.endpoint(9)])
    }

    // MARK: Places

    /// Another process at a forged address of the same instance, which repeats fingerprint and name.
    private func impostor() -> [BotMapEvent] {
        [
            .serviceFound(Samples.service("a", fp: "home", at: [5])),
            .probed(Samples.endpoint(5), Samples.answer("home", name: "Home", bots: ["true"])),
            .serviceFound(Samples.service("a", fp: "home", at: [1, 5])),
            .probed(Samples.endpoint(1), Samples.answer("home", name: "Home", bots: ["false"])),
            .liveness(Samples.endpoint(1), .answering, roundTrip: .microseconds(1)),
            .probed(Samples.endpoint(5), Samples.answer("home", name: "Home", bots: ["true"])),
        ]
    }

    @Test mutating func whoAnsweredFirstLeadsAndALaterPathIsFlagged() {
        map.apply(all: impostor())
        #expect(map[home]?.paths.first?.endpoint == Samples.endpoint(5))
        #expect(map[home]?.bots.map(\.id.bot.text) == ["true"])
        #expect(map[home]?.flags == [.contradicts])
        #expect(map[home]?.paths.map(\.contradicts) == [false, true])
    }

    @Test mutating func itKeepsItsPlaceOverARestart() {
        map.apply(all: impostor() + [.serviceFound(Samples.service("a", fp: "home", at: [1]))])
        map.apply(all: [.liveness(Samples.endpoint(5), .gone)])
        #expect(map[home]?.bots.map(\.id.bot.text) == ["true"])
        map.apply(all: [
            .probed(Samples.endpoint(1), Samples.answer("home", name: "Evil", bots: ["false"])),
            .probed(Samples.endpoint(5), Samples.answer("home", name: "Home", bots: ["true"])),
        ])
        #expect(map[home]?.name == "Home")
        #expect(map[home]?.paths.first?.endpoint == Samples.endpoint(5))
        // Ten minutes later it does not.
        map.apply(all: [.liveness(Samples.endpoint(5), .gone), .retired(Samples.endpoint(5))])
        #expect(map[home]?.bots.map(\.id.bot.text) == ["false"])
    }

    /// TLS alone is no trust.
    @Test mutating func tlsDoesNotGoFirstByItself() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1, 2])),
            .probed(Samples.endpoint(2), Samples.answer("home")),
            .probed(Samples.endpoint(1), Samples.answer("home", leaf: 9)),
        ])
        #expect(map[home]?.paths.map(\.endpoint) == [2, 1].map { Samples.endpoint($0) })
        map.apply(.endpointAdded(Samples.endpoint(1), .local))
        #expect(map[home]?.paths.first?.endpoint == Samples.endpoint(1), "what the user entered does")
    }

    @Test mutating func addressesAddedToARealServiceNeverComeFirst() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1, 2])),
            .probed(Samples.endpoint(1), Samples.answer("home", leaf: 9)),
            .probed(Samples.endpoint(2), Samples.answer("home", leaf: 1)),
            .proved(Samples.endpoint(2), .pinnedLeaf, leaf: Samples.leaf(1)),
            .liveness(Samples.endpoint(2), .gone),
        ])
        #expect(map[home]?.paths.first?.endpoint == Samples.endpoint(2))
        #expect(map[home]?.paths.map(\.contradicts) == [false, true])
        #expect(map[home]?.liveness == .gone)
    }

    @Test mutating func aGatewayWithoutANameHasThatOfItsFirstCandidate() {
        map.apply(all: [
            .serviceFound(Samples.service("m", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer(nil)),
            .serviceFound(Samples.service("a forged one", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer(nil)),
        ])
        #expect(map.gateways.map(\.name) == ["m"])
    }

    // MARK: Claims

    /// Another host, with copied TXT and a copied answer.
    private func copy() -> [BotMapEvent] {
        [
            .serviceFound(Samples.service("a", fp: "home", host: "box.local", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home", name: "Home", bots: ["b"])),
            .serviceFound(Samples.service("0 copy", fp: "home", host: "copy.local", at: [66])),
            .probed(Samples.endpoint(66), Samples.answer("home", name: "Home", bots: ["b"])),
        ]
    }

    @Test mutating func aClaimantIsShownWhenTheFirstIsHeardOfAgain() {
        map.apply(all: copy())
        #expect(ids() == [home])
        #expect(map[home]?.flags == [])
        map.apply(.liveness(Samples.endpoint(1), .answering))
        let claimant = GatewayID.claimant(Samples.fingerprint("home"), .service(Samples.instance("0 copy")))
        #expect(ids() == [home, claimant])
        #expect(map[home]?.flags == [.sameFingerprint])
    }

    @Test mutating func aClaimantIsShownWhenTheFirstHasMissedTwice() {
        map.apply(all: copy() + [.liveness(Samples.endpoint(1), .suspect)])
        #expect(ids().count == 2)
        #expect(map[home]?.flags == [], "a flag comes with an answer")
    }

    @Test mutating func aCopyThatGoesChangesAFlagAtTheNextAnswer() {
        map.apply(all: copy() + [.liveness(Samples.endpoint(1), .answering)])
        let gone = map.apply(all: [.serviceLost(Samples.instance("0 copy")), .liveness(Samples.endpoint(66), .gone)])
        #expect(gone.map(kind).filter { $0 != "changed" } == ["lost"])
        #expect(map[home]?.flags == [.sameFingerprint])
        map.apply(.liveness(Samples.endpoint(1), .answering))
        #expect(map[home]?.flags == [])
    }

    @Test mutating func forgedTextChangesNothingBetweenAnswers() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home")),
        ])
        for _ in 0..<50 {
            for fingerprint in ["evil", "home"] {
                for change in map.apply(.serviceFound(Samples.service("a", fp: fingerprint, at: [1]))) {
                    guard case .changed(_, [.records]) = change else {
                        Issue.record("\(change)")
                        return
                    }
                }
            }
        }
        map.apply(.serviceFound(Samples.service("a", fp: "evil", at: [1])))
        map.apply(.probed(Samples.endpoint(1), Samples.answer("home")))
        #expect(map[home]?.flags == [.contradicts])
    }

    /// Two services lead to one endpoint, and nothing has answered: the row of the first shows the records of both.
    @Test mutating func aRowShowsTheLatestRecordsOfAllItsServices() {
        map.apply(all: [
            .serviceFound(Samples.service("a", at: [1])), .serviceFound(Samples.service("b", fp: "old", at: [1])),
        ])
        map.apply(.serviceFound(Samples.service("b", fp: "new", at: [1])))
        let latest = TXTRecord(strings: [Array("fp=new".utf8)])
        #expect(map.gateways.first?.discoveredServices.map(\.txt) == [TXTRecord(), latest])
    }

    @Test mutating func aServiceThatPointsAtAnotherGatewayDoesNotHarmIt() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .serviceFound(Samples.service("evil", fp: "evil", host: "evil.local", at: [1])),
        ])
        #expect(ids() == [home])
        #expect(map[home]?.flags == [])
        #expect(map[home]?.paths.count == 1)
    }

    // MARK: Pairings

    @Test mutating func proofTellsWhichIsTheRealOne() {
        map.apply(all: copy() + [.liveness(Samples.endpoint(1), .answering)])
        map.apply(all: [
            .proved(Samples.endpoint(66), .pinnedLeaf, leaf: Samples.leaf(1)),
            .probed(Samples.endpoint(66), Samples.answer("home", leaf: 1)),
        ])
        #expect(map[home]?.paths.map(\.endpoint) == [Samples.endpoint(66)])
        #expect(map.gateways.count == 2)
    }

    @Test mutating func aPairedGatewayAtAnUnprovedPlaceHasMoved() {
        map.apply(all: [
            .paired(PairedBot(id: Samples.key("home", "b"))),
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
        ])
        #expect(map[home]?.paths == [])
        map.apply(.probed(Samples.endpoint(1), Samples.answer("home")))
        #expect(map[home]?.flags == [.moved])
        map.apply(.proved(Samples.endpoint(1), .token))
        #expect(map[home]?.flags == [])
    }

    @Test mutating func whatIsPairedStaysWithoutItsGateway() {
        map.apply(all: [
            .paired(PairedBot(id: Samples.key("home", "b"), gatewayName: "Home")),
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home", bots: ["b", "c"])),
        ])
        #expect(map[home]?.bots.map(\.isPaired) == [true, false])
        map.apply(all: [.serviceLost(Samples.instance("a")), .liveness(Samples.endpoint(1), .gone)])
        #expect(map[home]?.paths == [])
        map.apply(.unpaired(Samples.key("home", "b")))
        #expect(map.gateways.isEmpty)
    }

    private func kind(_ change: BotMapChange) -> String {
        switch change {
        case .found: "found"
        case .changed: "changed"
        case .lost(_, into: nil): "lost"
        case .lost(_, let id?): "lost into \(id)"
        case .problem: "problem"
        }
    }
}
