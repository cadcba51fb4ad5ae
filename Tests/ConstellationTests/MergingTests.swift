import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

/// The merging of endpoints: which of them are one gateway, which of them leads its row, and what is flagged.
@Suite struct MergingTests {
    private var map = BotMap()
    private let home = GatewayID.fingerprint(Samples.fingerprint("home"))

    private func ids() -> [GatewayID] { map.gateways.map(\.id) }

    private func candidateID(_ name: String, type: String = "openclaw") -> GatewayID {
        .candidate(.service(Samples.instance(name, type: type)))
    }

    /// A gateway that may have replaced another one is not shown before the old row has ended or answered again, if
    /// endpoints are asked repeatedly. In a single scan nothing would follow, so it is shown at once.
    @Test(arguments: [true, false]) func successorIsWithheldOnlyIfEndpointsAreAskedRepeatedly(asksRepeatedly: Bool) {
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

    /// Services and entries of the user that lead to one endpoint have one row.
    @Test mutating func candidatesOfOneEndpointAreOneRow() {
        map.apply(all: [
            .serviceFound(Samples.service("a", at: [1, 2])),
            .serviceFound(Samples.service("b", type: "openclaw-gw", at: [1, 2])),
            .endpointAdded(Samples.endpoint(1), .local),
        ])
        #expect(ids() == [candidateID("a")])
        #expect(map.gateways.first?.services.count == 2)
        #expect(map.gateways.first?.paths.map(\.isManual) == [true, false])
    }

    @Test mutating func aServiceThatNeverAnsweredGoesWhenItIsLost() {
        map.apply(all: [.serviceFound(Samples.service("a", at: [1])), .serviceLost(Samples.instance("a"))])
        #expect(map.gateways.isEmpty)
    }

    /// An endpoint that waits to be asked has the reason until it was asked.
    @Test mutating func whatWaitsSaysWhy() {
        map.apply(all: [
            .serviceFound(Samples.service("a", at: [1])), .waiting(Samples.endpoint(1), .addressBudget),
        ])
        #expect(map.gateways.first?.paths.first?.waiting == .addressBudget)
        map.apply(.probed(Samples.endpoint(1), .nothing(.refused)))
        #expect(map.gateways.first?.paths.first?.waiting == nil)
    }

    /// A flooding gateway is suspect although it answers, and gone when it does not answer any more.
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

    /// A gateway that floods on one path, and answers on another one as it should, is not suspect.
    @Test mutating func whatFloodsOnOnePath() {
        map.apply(all: [
            .serviceFound(Samples.service("a", at: [1, 2])),
            .probed(Samples.endpoint(1), Samples.answer("home")), .probed(Samples.endpoint(2), Samples.answer("home")),
            .flooding(Samples.endpoint(2), true),
        ])
        #expect(map[home]?.liveness == .answering && map[home]?.isFlooding == false)
        #expect(map[home]?.paths.map(\.isFlooding) == [false, true])
    }

    /// The row of a service gets the identifier of the fingerprint with the first answer; the change is reported as
    /// `joined`, so that it is not taken for the end of a gateway, and as no second `found`: it has appeared once.
    @Test mutating func theFirstAnswerGivesAnIdentifier() {
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1])))
        #expect(ids() == [candidateID("a")])
        let changes = map.apply(.probed(Samples.endpoint(1), Samples.answer("home")))
        #expect(changes.map(kind) == ["joined into \(home)", "changed"])
        guard case .changed(let row, let aspects)? = changes.last else { return }
        #expect(row == map[home] && aspects.contains(.identifier) && aspects.contains(.paths))
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

    /// Endpoints without a fingerprint are one gateway if service instances that share endpoints lead to them.
    @Test mutating func withoutAFingerprintOneInstanceIsOneGateway() {
        map.apply(all: [
            .serviceFound(Samples.service("a", at: [1, 2])),
            .serviceFound(Samples.service("b", at: [2, 3])),
            .endpointAdded(Samples.endpoint(1), .local),
            .probed(Samples.endpoint(1), Samples.answer(nil)),
            .probed(Samples.endpoint(2), Samples.answer(nil)),
            .probed(Samples.endpoint(3), Samples.answer(nil)),
        ])
        #expect(ids() == [candidateID("a")])
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

    /// A leaf is that of a front: behind it, each port and each path is a gateway of its own, with a fingerprint or
    /// without. At another address, the same port and path are the same gateway.
    @Test(arguments: ["home", nil], [Samples.endpoint(1, port: 4_000), Samples.endpoint(1, "/kitchen/")])
    mutating func otherPlacesBehindOneFrontAreOtherGateways(fingerprint: String?, place: Endpoint) {
        map.apply(all: [
            .endpointAdded(Samples.endpoint(1), .local), .endpointAdded(place, .local),
            .probed(Samples.endpoint(1), Samples.answer(fingerprint, leaf: 1)),
            .probed(place, Samples.answer(fingerprint.map { "not \($0)" }, leaf: 1)),
            .endpointAdded(Samples.endpoint(2), .local),
            .probed(Samples.endpoint(2), Samples.answer(fingerprint, leaf: 1)),
        ])
        let places = map.gateways.map { Set($0.paths.map(\.endpoint)) }
        #expect(Set(places) == [[Samples.endpoint(1), Samples.endpoint(2)], [place]])
        #expect(map.gateways.allSatisfy { $0.flags.isEmpty })
        #expect(map.inconsistencies().isEmpty)
    }

    /// A front that answers in place of a gateway is neither a sign of its life nor another gateway: the row stays, and
    /// shows why it is gone, until the gateway is back.
    @Test mutating func theAnswerOfAFrontAloneIsNoAnswer() {
        map.apply(all: [
            .endpointAdded(Samples.endpoint(1), .local), .probed(Samples.endpoint(1), Samples.answer("home", leaf: 1)),
            .probed(Samples.endpoint(1), .nothing(.noGateway(status: 502))),
        ])
        #expect(ids() == [home])
        #expect(map.gateways.first?.paths.first?.frontStatus == 502)
        map.apply(all: [.liveness(Samples.endpoint(1), .gone)])
        #expect(map.gateways.first?.liveness == .gone)
        #expect(map.gateways.first?.paths.first?.outcome?.identity != nil)
        map.apply(all: [.liveness(Samples.endpoint(1), .answering)])
        #expect(map.gateways.first?.paths.first?.frontStatus == nil)
        map.apply(all: [
            .probed(Samples.endpoint(1), .nothing(.noGateway(status: 404))),
            .probed(Samples.endpoint(1), .nothing(.refused)),
        ])
        #expect(map.gateways.first?.paths.first?.frontStatus == nil)
    }

    /// A row without a fingerprint or service is identified by the endpoint that answered first. If another gateway
    /// answers there, that endpoint leaves the row, and gets a row of its own.
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

    /// A paired row keeps that identifier in the same case, since its bots are recorded under it.
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

    /// The row with the paired bots stays when two rows turn out to be one machine, although the other one is older.
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

    /// A service that was left out, since too many others led to its endpoint, is shown once those are gone, although
    /// it is not reported again.
    @Test mutating func serviceLeftOutIsAdmittedWhenThereIsRoom() {
        for number in 0..<33 { map.apply(.serviceFound(Samples.service("s\(number)", at: [1]))) }
        for number in 0..<32 { map.apply(.serviceLost(Samples.instance("s\(number)"))) }
        #expect(ids() == [candidateID("s32")])
        map.apply(.serviceLost(Samples.instance("s32")))
        #expect(map.gateways.isEmpty)
    }

    /// Two addresses of this host with the same port and fingerprint are one gateway.
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

    /// Two gateways that have answered as two rows are not merged by a record: a forged address record could otherwise
    /// join any two.
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

    /// Two rows of one fingerprint merge when the kernel's neighbour table shows that the endpoints to which one
    /// service leads are one machine.
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
        #expect(changes.map(kind).first == "joined into \(home)")
        #expect(map[home]?.paths.count == 2)
    }

    /// A row that takes in one which has shown a certificate remembers it: without that certificate, anybody can repeat its
    /// answers.
    @Test mutating func theCertificateOfARowThatWasTakenInIsRemembered() {
        let machine = Machine.neighbour(hardwareAddress: [2, 0, 0, 0, 0, 9])
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .endpointAdded(Samples.endpoint(2), .local),
            .probed(Samples.endpoint(1), Samples.answer("home")),
            .probed(Samples.endpoint(2), Samples.answer("home", leaf: 1)),
            .located(Samples.endpoint(1), machine),
            .located(Samples.endpoint(2), machine),
            .serviceFound(Samples.service("a", fp: "home", at: [1, 2])),
        ])
        #expect(map.gateways.count == 1)
        map.apply(all: [
            .probed(Samples.endpoint(2), .nothing(.wrongLeaf(found: Samples.leaf(2)))),
            .probed(Samples.endpoint(1), Samples.answer("home")),
        ])
        #expect(map[home]?.paths.first?.endpoint == Samples.endpoint(1))
        #expect(map[home]?.flags == [.contradicts])
    }

    /// The same, if the machines are known before a service leads to both endpoints.
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

    /// A row stays while one of its endpoints answers, although no record leads there any more, and is lost when that
    /// is gone.
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
        // An answer after the end brings the row back.
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

    /// Returns events about another process at a forged address of the same service, which repeats the fingerprint and
    /// name.
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

    /// The endpoint that answered first leads the row, and a later one with other bots is flagged as a contradiction,
    /// however fast it answers.
    @Test mutating func whoAnsweredFirstLeadsAndALaterPathIsFlagged() {
        map.apply(all: impostor())
        #expect(map[home]?.paths.first?.endpoint == Samples.endpoint(5))
        #expect(map[home]?.bots.map(\.id.bot.text) == ["true"])
        #expect(map[home]?.flags == [.contradicts])
        #expect(map[home]?.paths.map(\.contradicts) == [false, true])
    }

    /// An endpoint that is silent for a while still leads its row when it is back; once it is retired, another one
    /// leads.
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
        // It is retired after ten minutes of silence.
        map.apply(all: [.liveness(Samples.endpoint(5), .gone), .retired(Samples.endpoint(5))])
        #expect(map[home]?.bots.map(\.id.bot.text) == ["false"])
    }

    /// A path that is gone is not the first to try while another one answers, even if it leads. One that the user has entered
    /// stays first: what only a record has brought beside it proves nothing. The name and the bots stay the leader's, and
    /// when it answers again, it is first again.
    @Test(arguments: [nil, Samples.endpoint(1)]) mutating func aDeadPathIsNotTheFirstToTry(entered: Endpoint?) {
        map.apply(.serviceFound(Samples.service("a", fp: "home", at: [1, 2])))
        if let entered { map.apply(.endpointAdded(entered, .local)) }
        map.apply(all: [
            .probed(Samples.endpoint(1), Samples.answer("home", name: "Home")),
            .probed(Samples.endpoint(2), Samples.answer("home", name: "Home")),
        ])
        #expect(map[home]?.paths.map(\.endpoint) == [1, 2].map { Samples.endpoint($0) })
        map.apply(.liveness(Samples.endpoint(1), .suspect))
        #expect(map[home]?.paths.first?.endpoint == Samples.endpoint(1), "it may only be slow")
        map.apply(.liveness(Samples.endpoint(1), .gone))
        let order: [UInt8] = entered == nil ? [2, 1] : [1, 2]
        #expect(map[home]?.paths.map(\.endpoint) == order.map { Samples.endpoint($0) })
        #expect(map[home]?.paths.map(\.leads) == order.map { $0 == 1 })
        map.apply(.liveness(Samples.endpoint(1), .answering))
        #expect(map[home]?.paths.map(\.endpoint) == [1, 2].map { Samples.endpoint($0) })
    }

    /// An endpoint with TLS does not come before one that answered first: TLS without proof gives no trust. An entry of
    /// the user does.
    @Test mutating func tlsDoesNotGoFirstByItself() {
        map.apply(all: [
            .serviceFound(Samples.service("a", fp: "home", at: [1, 2])),
            .probed(Samples.endpoint(2), Samples.answer("home")),
            .probed(Samples.endpoint(1), Samples.answer("home", leaf: 9)),
        ])
        #expect(map[home]?.paths.map(\.endpoint) == [2, 1].map { Samples.endpoint($0) })
        map.apply(.endpointAdded(Samples.endpoint(1), .local))
        #expect(
            map[home]?.paths.first?.endpoint == Samples.endpoint(1),
            "an endpoint that the user entered comes first"
        )
    }

    /// An endpoint that is proved stays the first path, even while it is gone and another one answers at an address
    /// that was added to its service.
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

    /// A gateway that reports no name is called after the service that was there at its first answer.
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

    /// Returns events about a gateway, and about another host that copies its TXT record and its answer.
    private func copy() -> [BotMapEvent] {
        [
            .serviceFound(Samples.service("a", fp: "home", host: "box.local", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home", name: "Home", bots: ["b"])),
            .serviceFound(Samples.service("0 copy", fp: "home", host: "copy.local", at: [66])),
            .probed(Samples.endpoint(66), Samples.answer("home", name: "Home", bots: ["b"])),
        ]
    }

    /// A second gateway with the fingerprint is shown only once the first one has answered again; then both are
    /// flagged.
    @Test mutating func aClaimantIsShownWhenTheFirstIsHeardOfAgain() {
        map.apply(all: copy())
        #expect(ids() == [home])
        #expect(map[home]?.flags == [])
        map.apply(.liveness(Samples.endpoint(1), .answering))
        let claimant = GatewayID.claimant(Samples.fingerprint("home"), .service(Samples.instance("0 copy")))
        #expect(ids() == [home, claimant])
        #expect(map[home]?.flags == [.sameFingerprint])
    }

    /// It is also shown once the first one is suspect.
    @Test mutating func aClaimantIsShownWhenTheFirstHasMissedTwice() {
        map.apply(all: copy() + [.liveness(Samples.endpoint(1), .suspect)])
        #expect(ids().count == 2)
        #expect(map[home]?.flags == [], "a flag is set only with an answer")
    }

    /// The flag of the first gateway goes with its next answer, not as soon as the other one is lost.
    @Test mutating func aCopyThatGoesChangesAFlagAtTheNextAnswer() {
        map.apply(all: copy() + [.liveness(Samples.endpoint(1), .answering)])
        let gone = map.apply(all: [.serviceLost(Samples.instance("0 copy")), .liveness(Samples.endpoint(66), .gone)])
        #expect(gone.map(kind).filter { $0 != "changed" } == ["lost"])
        #expect(map[home]?.flags == [.sameFingerprint])
        map.apply(.liveness(Samples.endpoint(1), .answering))
        #expect(map[home]?.flags == [])
    }

    /// A TXT record that changes all the time changes no flag between two answers.
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

    /// The row of an endpoint that has not answered has the latest records of all services that lead to it.
    @Test mutating func aRowShowsTheLatestRecordsOfAllItsServices() {
        map.apply(all: [
            .serviceFound(Samples.service("a", at: [1])), .serviceFound(Samples.service("b", fp: "old", at: [1])),
        ])
        map.apply(.serviceFound(Samples.service("b", fp: "new", at: [1])))
        let latest = TXTRecord(strings: [Array("fp=new".utf8)])
        #expect(map.gateways.first?.discoveredServices.map(\.txt) == [TXTRecord(), latest])
    }

    /// A service with another fingerprint that leads to a gateway's endpoint sets no flag on its row.
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

    /// Of two gateways with one fingerprint, the one that is proved gets the row of the fingerprint.
    @Test mutating func proofTellsWhichIsTheRealOne() {
        map.apply(all: copy() + [.liveness(Samples.endpoint(1), .answering)])
        map.apply(all: [
            .proved(Samples.endpoint(66), .pinnedLeaf, leaf: Samples.leaf(1)),
            .probed(Samples.endpoint(66), Samples.answer("home", leaf: 1)),
        ])
        #expect(map[home]?.paths.map(\.endpoint) == [Samples.endpoint(66)])
        #expect(map.gateways.count == 2)
    }

    /// A paired gateway that answers where it is not proved is flagged as moved, until it is proved there.
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

    /// The row of a paired gateway stays without any path, until it is unpaired.
    @Test mutating func whatIsPairedStaysWithoutItsGateway() {
        map.apply(all: [
            .paired(PairedBot(id: Samples.key("home", "b"), gatewayName: "Home")),
            .serviceFound(Samples.service("a", fp: "home", at: [1])),
            .probed(Samples.endpoint(1), Samples.answer("home", bots: ["b", "c"])),
        ])
        #expect(map[home]?.bots.map(\.isPaired) == [true, false])
        map.apply(all: [.serviceLost(Samples.instance("a")), .liveness(Samples.endpoint(1), .gone)])
        #expect(map[home]?.liveness == .gone)
        map.apply(.retired(Samples.endpoint(1)))
        #expect(map[home]?.paths == [])
        map.apply(.unpaired(Samples.key("home", "b")))
        #expect(map.gateways.isEmpty)
    }

    private func kind(_ change: BotMapChange) -> String {
        switch change {
        case .found: "found"
        case .changed: "changed"
        case .lost: "lost"
        case .joined(_, let id): "joined into \(id)"
        case .problem: "problem"
        }
    }
}
