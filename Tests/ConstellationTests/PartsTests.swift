import DNSSD
import GatewayProtocol
import Testing

@testable import Scanning

/// The parts of endpoints, rows and the map, each by itself.
@Suite struct PartsTests {
    private let home = GatewayID.fingerprint(Samples.fingerprint("home"))
    private let den = GatewayID.fingerprint(Samples.fingerprint("den"))

    // MARK: Storage

    /// A rare value takes little room, and is copied with what has it.
    @Test func aRareValue() {
        struct Holder: Equatable {
            @Rare var number: Int?
        }
        var holder = Holder()
        #expect(holder.number == nil && MemoryLayout<Holder>.size == 8)
        holder.number = 101
        let copy = holder
        holder.number = 102
        #expect(holder.number == 102 && copy.number == 101 && copy != holder)
        holder.number = nil
        #expect(holder == Holder())
    }

    /// Nanoseconds are kept, and what is less is cut.
    @Test func aStoredDuration() {
        struct Holder { @StoredDuration var time: Duration? }
        var holder = Holder()
        #expect(holder.time == nil && MemoryLayout<Holder>.size == 8)
        for time in [Duration.zero, .nanoseconds(1), .milliseconds(1_500), .seconds(-3), .seconds(86_400)] {
            holder.time = time
            #expect(holder.time == time)
        }
        holder.time = Duration(secondsComponent: 1, attosecondsComponent: 1_999_999_999)
        #expect(holder.time == .nanoseconds(1_000_000_001))
        holder.time = .seconds(Int64.max)
        #expect(holder.time == .nanoseconds(Int64.max))
        holder.time = nil
        #expect(holder.time == nil)
    }

    // MARK: Proof

    /// A proof over TLS holds for its leaf alone, and one of a leaf counts only with the leaf.
    @Test func aProofHoldsForItsLeaf() {
        var proof = EndpointProof()
        let (one, other) = (Samples.leaf(1), Samples.leaf(2))
        #expect(!proof.set(.pinnedLeaf, leaf: nil) && proof.reported == .unproved)
        #expect(proof.set(.pinnedLeaf, leaf: one) && !proof.set(.pinnedLeaf, leaf: one))
        #expect(proof.strength(of: GatewayIdentity(dialect: .optaplus, leaf: one)) == .pinnedLeaf)
        #expect(proof.strength(of: GatewayIdentity(dialect: .optaplus, leaf: other)) == .unproved)
        #expect(proof.strength(of: GatewayIdentity(dialect: .optaplus)) == .unproved)
        proof.endOfGateway()
        proof.endOfSession()
        #expect(proof.reported == .pinnedLeaf, "it says nothing about whoever shows another leaf")
        #expect(!proof.end(ofPin: other) && !proof.endOfAddress() && proof.end(ofPin: one) && proof.leaf == nil)
    }

    /// A proof without a leaf ends with its gateway; with its session, unless it is that of the address.
    @Test func aProofWithoutALeafEnds() {
        var proof = EndpointProof()
        #expect(proof.set(.sameAddress, leaf: nil) == true)
        proof.endOfSession()
        #expect(proof.reported == .sameAddress && proof.endOfAddress() && !proof.endOfAddress())
        #expect(proof.set(.token, leaf: nil) == true)
        proof.endOfSession()
        #expect(proof.reported == .unproved)
        #expect(proof.set(.sameAddress, leaf: nil) == true)
        proof.endOfGateway()
        #expect(proof.reported == .unproved)
    }

    // MARK: Marks

    /// After the certificate of a front has changed, and was accepted for one of two gateways behind it, that one's token
    /// does not go to the place of the other. Where hosts have swapped their addresses, the certificate tells them apart.
    @Test func theNeighbourOfOneHostIsAnother() {
        func place(_ last: UInt8, _ path: String) -> Endpoint { Samples.endpoint(last, port: 443, path) }
        func row(_ place: Endpoint) -> GatewayID { .candidate(.endpoint(place)) }
        func marks(_ leaf: UInt8?, at place: Endpoint) -> PairedMarks {
            let proof = leaf.map { PairedMarks.Proof.leaf(Samples.leaf($0)) } ?? .certificate
            return PairedMarks(dialect: .openClaw, proof: proof, home: place, places: [place])
        }
        let own = place(1, "/attic/")
        let cases: [(leaf: UInt8?, neighbour: Endpoint, isAnother: Bool)] = [
            (1, place(1, "/bath/"), true), (2, place(3, "/bath/"), true), (1, place(3, "/bath/"), false),
            (nil, place(3, "/bath/"), true),
        ]
        for (leaf, neighbour, isAnother) in cases {
            var index = PairedMarksIndex()
            _ = index.set(marks(2, at: own), of: row(own))
            _ = index.set(marks(leaf, at: neighbour), of: row(neighbour))
            #expect(index.isPlace(neighbour, ofAnotherThan: row(own)) == isAnother)
            #expect(!index.isPlace(own, ofAnotherThan: row(own)))
        }
    }

    // MARK: Rows

    /// A row is silent since an event if it is older and has not answered since.
    @Test func aHistoryOfAnswers() {
        var history = RowHistory()
        history.begin(in: 3)
        history.answered(in: 3, isFirst: true)
        #expect(history.isSilent(since: 4) && !history.isSilent(since: 3) && !history.hasAnsweredAgain)
        history.answered(in: 5, isFirst: false)
        #expect(!history.isSilent(since: 5) && history.isSilent(since: 6) && history.hasAnsweredAgain)
        history.beginAgain()
        #expect(!history.hasAnsweredAgain && history.bornAt == 3 && history.answeredAt == 5)
    }

    /// Successors that exist are kept, the latest of them, each once.
    @Test func aSuccession() {
        var succession = RowSuccession()
        succession.predecessor = nil
        #expect(succession.successors.isEmpty && succession.replacedFingerprint == nil)
        succession.add(home, limit: 2) { _ in true }
        succession.add(den, limit: 2) { _ in true }
        succession.add(home, limit: 2) { _ in true }
        #expect(succession.successors == [home, den])
        let third = GatewayID.fingerprint(Samples.fingerprint("third"))
        succession.add(third, limit: 2) { _ in true }
        #expect(succession.successors == [den, third])
        succession.add(home, limit: 2) { $0 != third }
        #expect(succession.successors == [den, home])
        succession.predecessor = third
        succession.replacedFingerprint = Samples.fingerprint("old")
        succession.predecessor = nil
        #expect(succession.predecessor == nil && succession.replacedFingerprint == Samples.fingerprint("old"))
    }

    // MARK: The map

    /// Records are counted, a blank one takes no room, and there is a limit for new ones.
    @Test func recordsOfBots() {
        var records = BotRecords()
        let (one, two) = (BotKey(gateway: home, bot: Samples.bot("a")), BotKey(gateway: home, bot: Samples.bot("b")))
        var paired = BotRecord()
        _ = paired.pair(PairedBot(id: two, gatewayName: "Home", place: Samples.endpoint(1)))
        #expect(records.set(BotRecord(state: .pairing), of: one, limit: 2) && !records.isPaired(home))
        #expect(records.set(paired, of: two, limit: 2) && records.isPaired(home) && records.count == 2)
        #expect(records.set(paired, of: BotKey(gateway: den, bot: Samples.bot("a")), limit: 2) == false)
        #expect(records.set(paired, of: one, limit: 2) && records.count == 2)
        #expect(records.placeOfPairing(home) == Samples.endpoint(1) && records.placeOfPairing(den) == nil)
        #expect(records.nameAtPairing(home) == "Home" && records[two] == paired)
        #expect(records.set(BotRecord(), of: one, limit: 0) && records.count == 1 && records[one].isBlank)
        #expect(records.set(BotRecord(), of: one, limit: 0) && records.count == 1)
        #expect(records.set(BotRecord(), of: two, limit: 0) && records.isEmpty && records.count == 0)
    }

    /// All changes of a row in one event are one, and none if they cancel each other out.
    @Test func changesOfOneEventAreNet() throws {
        var map = BotMap()
        map.apply(.probed(Samples.endpoint(1), Samples.answer("home", name: "Home")))
        let before = try #require(map.gateways.first)
        map.apply(.probed(Samples.endpoint(1), Samples.answer("home", name: "Den")))
        let after = try #require(map.gateways.first)
        let problem = BotMapProblem.tooManyCandidates(Samples.endpoint(1), limit: 1)
        var news = EventNews()
        news.report(.found(after))
        news.report(.lost(after))
        #expect(news.take().isEmpty)
        news.report(.changed(after, [.name]), former: before)
        news.report(.changed(before, [.name]), former: after)
        #expect(news.take().isEmpty)
        news.report(.found(before))
        news.report(problem)
        news.report(.changed(after, [.name]), former: before)
        #expect(news.take() == [.problem(problem), .found(after)])
        #expect(news.take().isEmpty)
    }
}
