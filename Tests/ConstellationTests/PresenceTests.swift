import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// The paths by which a gateway that the user has named or paired is there. Anybody can have another path in its row, by a
/// record of one of its services: that neither keeps it alive nor brings it back.
@Suite struct PresenceTests {
    private var map = BotMap()
    private let home = Samples.endpoint(1)
    private let forged = Samples.endpoint(66)
    private let machines = [
        Machine.neighbour(hardwareAddress: [2, 0, 0, 0, 0, 1]), .neighbour(hardwareAddress: [6, 6]),
    ]

    private var row: Gateway? { map.gateways.first { row in row.paths.contains { $0.endpoint == home } } }

    private func answer(_ fp: String?, at endpoint: Endpoint, leaf: UInt8? = nil) -> [BotMapEvent] {
        [.probed(endpoint, Samples.answer(fp, name: "Home", leaf: leaf)), .liveness(endpoint, .answering)]
    }

    /// A record leads the gateway's service to another address, before it dies or after that.
    private mutating func forge(_ fp: String?, leaf: UInt8? = nil, isBefore: Bool) {
        let forgery = [BotMapEvent.serviceFound(Samples.service("Home", fp: fp, at: [1, 66]))]
        let answers = answer(fp, at: forged, leaf: leaf)
        let death: [BotMapEvent] = [.liveness(home, .suspect), .liveness(home, .gone)]
        map.apply(all: isBefore ? forgery + answers + death : death + forgery + answers)
    }

    /// What the user has named by its address is watched there.
    @Test(arguments: ["home", nil], [true, false])
    mutating func aNamedAddressIsNotKeptAliveByARecord(fp: String?, isBefore: Bool) throws {
        map.apply(all: [.endpointAdded(home, .local), .serviceFound(Samples.service("Home", fp: fp, at: [1]))])
        map.apply(all: answer(fp, at: home))
        forge(fp, isBefore: isBefore)
        let gone = try #require(row)
        #expect(gone.liveness == .gone && gone.paths.map(\.endpoint) == [home, forged], "\(gone)")
        #expect(gone.paths.map(\.isHearsay) == [false, true])
        map.apply(all: answer(fp, at: home))
        #expect(row?.liveness == .answering)
        #expect(map.inconsistencies() == [])
    }

    /// The scanner asks the named place as often as one that leads, whatever answers beside it.
    @Test mutating func aNamedAddressIsAskedAsOftenAsBefore() {
        map.apply(all: [.endpointAdded(home, .local), .serviceFound(Samples.service("Home", at: [1]))])
        map.apply(all: answer(nil, at: home))
        forge(nil, isBefore: false)
        #expect(map.place(of: home)?.reason == .leads && map.place(of: forged)?.reason == .follows)
    }

    /// Two gateways that the user has named, and that tell no fingerprint, can be led into one row by a record: each is
    /// asked as before.
    @Test mutating func eachNamedAddressIsAsked() {
        map.apply(all: [.endpointAdded(home, .local), .endpointAdded(forged, .local)])
        map.apply(.serviceFound(Samples.service("Home", at: [1, 66])))
        map.apply(all: answer(nil, at: home) + answer(nil, at: forged))
        #expect([home, forged].map { map.place(of: $0)?.reason } == [.leads, .leads])
    }

    /// Another address of the same machine, as this host's kernel knows it, is as good as the named one; that of another
    /// machine is not.
    @Test(arguments: [true, false]) mutating func anotherAddressOfItsMachineCounts(isSame: Bool) {
        map.apply(all: [.endpointAdded(home, .local), .serviceFound(Samples.service("Home", fp: "home", at: [1]))])
        map.apply(.located(home, machines[0]))
        map.apply(all: answer("home", at: home))
        forge("home", isBefore: true)
        map.apply(.located(forged, machines[isSame ? 0 : 1]))
        #expect(row?.liveness == (isSame ? .answering : .gone))
    }

    /// Who shows the certificate of the named place has its key.
    @Test mutating func anotherAddressWithItsCertificateCounts() {
        map.apply(all: [.endpointAdded(home, .local), .serviceFound(Samples.service("Home", fp: "home", at: [1]))])
        map.apply(all: answer("home", at: home, leaf: 1))
        forge("home", leaf: 1, isBefore: true)
        #expect(row?.liveness == .answering)
    }

    /// Whatever answers is shown, also in a row that was hidden since its named place was about to be asked anew.
    @Test mutating func whatAnswersIsShown() {
        map.apply(all: [.endpointAdded(home, .local), .serviceFound(Samples.service("Home", fp: "home", at: [1]))])
        map.apply(all: answer("home", at: home) + [.liveness(home, .suspect), .liveness(home, .gone)])
        map.apply(all: [.endpointRemoved(home), .serviceLost(Samples.instance("Home"))])
        #expect(map.gateways.isEmpty)
        map.apply(all: [.endpointAdded(home, .local), .serviceFound(Samples.service("Home", fp: "home", at: [1, 66]))])
        map.apply(all: answer("home", at: forged))
        #expect(row?.paths.contains { $0.endpoint == forged && $0.liveness == .answering } == true)
        #expect(map.inconsistencies() == [])
    }

    /// A gateway of which nobody has named a place is where it answers, as before.
    @Test mutating func aStrangerIsWhereItAnswers() {
        map.apply(.serviceFound(Samples.service("Home", fp: "home", at: [1])))
        map.apply(all: answer("home", at: home))
        forge("home", isBefore: true)
        #expect(row?.liveness == .answering && row?.paths.contains(where: \.isHearsay) == false)
    }

    // MARK: Paired

    private mutating func pair(_ proof: PairedMarks.Proof, moves: [Endpoint: MoveReason] = [:]) {
        let places = moves[home] == nil ? [home] : []
        let marks = PairedMarks(dialect: .optaplus, proof: proof, home: home, places: places, moves: moves)
        map.apply(.paired(PairedBot(id: Samples.key("home", "b"), name: "B", marks: marks)))
        map.apply(.endpointAdded(home, .local))
    }

    /// A paired gateway without TLS is gone with its place, whatever claims to be it; the user sees that, too.
    @Test(arguments: [true, false]) mutating func aPlainPairedOneIsGone(isBefore: Bool) {
        map.apply(.serviceFound(Samples.service("Home", fp: "home", at: [1])))
        map.apply(all: answer("home", at: home))
        pair(.address)
        forge("home", isBefore: isBefore)
        map.apply(all: answer("home", at: forged))
        #expect(row?.liveness == .gone && row?.flags == [.moved])
        map.apply(all: answer("home", at: home))
        #expect(row?.liveness == .answering && row?.flags == [])
        #expect(map.inconsistencies() == [])
    }

    /// One without TLS that is at another address of its machine, as this host's kernel knows it, is there, and has moved; on
    /// another machine it is not.
    @Test(arguments: [true, false]) mutating func aPlainPairedOneMovesWithItsMachine(isSame: Bool) {
        map.apply(.serviceFound(Samples.service("Home", fp: "home", at: [1])))
        map.apply(.located(home, machines[0]))
        map.apply(all: answer("home", at: home))
        pair(.address)
        map.apply(all: [.liveness(home, .suspect), .liveness(home, .gone)])
        map.apply(.serviceFound(Samples.service("Home", fp: "home", at: [66])))
        map.apply(.located(forged, machines[isSame ? 0 : 1]))
        map.apply(all: answer("home", at: forged))
        #expect(row?.liveness == (isSame ? .answering : .gone) && row?.flags == [.moved])
        #expect(map.inconsistencies() == [])
    }

    /// At the start of a scan, nothing is known before its own place was asked.
    @Test mutating func nothingIsKnownBeforeItsPlaceWasAsked() {
        pair(.address)
        map.apply(.serviceFound(Samples.service("Home", fp: "home", at: [66])))
        map.apply(all: answer("home", at: forged))
        let row = map[.fingerprint(Samples.fingerprint("home"))]
        #expect(row?.paths.contains { $0.endpoint == forged } == true && row?.liveness == nil)
    }

    /// Another machine at its very address is not it; another router says nothing against it.
    @Test(arguments: [MoveReason.machine, .router]) mutating func whoHasItsAddressIsNotIt(reason: MoveReason) {
        map.apply(.serviceFound(Samples.service("Home", fp: "home", at: [1])))
        map.apply(all: answer("home", at: home))
        pair(.address)
        pair(.address, moves: [home: reason])
        map.apply(all: answer("home", at: home))
        #expect((row?.liveness == .answering) == (reason == .router) && row?.flags == [.moved])
    }

    /// With TLS, the pinned certificate is the gateway, wherever it is shown, and nothing else is.
    @Test(arguments: [1, 2, nil] as [UInt8?]) mutating func aPinnedCertificateCountsAnywhere(leaf: UInt8?) {
        map.apply(.serviceFound(Samples.service("Home", fp: "home", at: [1])))
        map.apply(all: answer("home", at: home, leaf: 1))
        pair(.leaf(Samples.leaf(1)))
        forge("home", leaf: leaf, isBefore: false)
        #expect(map[.fingerprint(Samples.fingerprint("home"))]?.liveness == (leaf == 1 ? .answering : .gone))
    }

    // MARK: Named by an alias

    private mutating func name(_ fp: String?) {
        let id = fp.map { "fingerprint:\($0)" } ?? "service:Home._openclaw._tcp.local"
        map.apply(
            .aliased([
                GatewayAlias(gatewayID: id, fingerprint: fp.map(Samples.fingerprint), leaf: nil, name: "Attic")
            ])
        )
    }

    private var attic: Gateway? { map.gateways.first { $0.name == "Attic" } }

    /// A gateway with a name is where it was when it first had that here, also after its place has lost its seniority by
    /// silence.
    @Test(arguments: ["home", nil], [true, false])
    mutating func aGatewayWithANameIsNotKeptAliveByARecord(fp: String?, isBefore: Bool) {
        name(fp)
        map.apply(.serviceFound(Samples.service("Home", fp: fp, at: [1])))
        map.apply(all: answer(fp, at: home))
        #expect(attic?.liveness == .answering)
        forge(fp, isBefore: isBefore)
        #expect(attic?.liveness == .gone)
        map.apply(.retired(home))
        map.apply(all: answer(fp, at: forged))
        #expect(attic?.liveness == .gone)
        map.apply(all: answer(fp, at: home))
        #expect(attic?.liveness == .answering)
        #expect(map.inconsistencies() == [])
    }

    /// Whoever has led its row meanwhile, under another name, says nothing against its return.
    @Test mutating func aGatewayWithANameIsBackWhateverHasLed() {
        let other: [BotMapEvent] = [
            .probed(forged, Samples.answer("home", name: "Other")), .liveness(forged, .answering),
        ]
        name("home")
        map.apply(.serviceFound(Samples.service("Home", fp: "home", at: [1])))
        map.apply(all: answer("home", at: home))
        map.apply(all: [.liveness(home, .suspect), .liveness(home, .gone)])
        map.apply(.serviceFound(Samples.service("Home", fp: "home", at: [1, 66])))
        map.apply(all: other + [.retired(home)] + other)
        #expect(attic?.liveness == .gone)
        map.apply(all: answer("home", at: home))
        #expect(attic?.liveness == .answering && attic?.paths.first?.endpoint == home, "\(map.gateways)")
        #expect(map.inconsistencies() == [])
    }

    /// Once its records are gone, too, whoever makes up others is not it.
    @Test mutating func whoeverComesAfterItIsNotIt() {
        name("home")
        map.apply(.serviceFound(Samples.service("Home", fp: "home", at: [1])))
        map.apply(all: answer("home", at: home))
        map.apply(all: [
            .serviceLost(Samples.instance("Home")), .liveness(home, .suspect), .liveness(home, .gone), .retired(home),
        ])
        map.apply(.serviceFound(Samples.service("Evil", fp: "home", host: "evil.local", at: [66])))
        map.apply(all: answer("home", at: forged))
        #expect(attic == nil && map.gateways.map(\.liveness) == [nil], "\(map.gateways)")
        map.apply(.serviceFound(Samples.service("Home", fp: "home", at: [1])))
        // A new claimant is shown once the other one has answered again.
        map.apply(all: answer("home", at: home) + answer("home", at: forged))
        #expect(attic?.liveness == .answering && row?.name == "Attic")
        #expect(map.inconsistencies() == [])
    }

    /// Its machine may get another address.
    @Test mutating func itMovesWithItsMachine() {
        name("home")
        map.apply(.serviceFound(Samples.service("Home", fp: "home", at: [1])))
        map.apply(.located(home, machines[0]))
        map.apply(all: answer("home", at: home))
        map.apply(all: [.liveness(home, .suspect), .liveness(home, .gone)])
        map.apply(.serviceFound(Samples.service("Home", fp: "home", at: [66])))
        map.apply(.located(forged, machines[0]))
        map.apply(all: answer("home", at: forged))
        #expect(attic?.liveness == .answering)
        map.apply(all: [.retired(home)] + answer("home", at: forged))
        #expect(attic?.liveness == .answering)
    }
}
