import DNSSD
import GatewayProtocol
import Testing

@testable import Advertising

@Suite struct AdvertisingStateMachineTests {
    private static let silence = GatewayAnswer.nothing(.noAnswer(within: .seconds(1)))
    private static let stranger = GatewayAnswer.other(ForeignAnswer(summary: "SSH", bytes: Array("SSH-2.0-x".utf8)))

    private var machine = AdvertisingStateMachine(Samples.configuration())

    /// Returns the result of a check on a host with eth0. The gateway gives the same answer there unless `network`
    /// contains others.
    private static func check(
        _ answer: GatewayAnswer,
        at network: [LocalAddress: GatewayAnswer]? = nil
    ) -> CheckResult {
        let answers = network ?? [Samples.eth0: answer]
        return CheckResult(answer: answer, addresses: answers.keys.sorted(), answers: answers)
    }

    private static func published(_ actions: [AdvertisingAction]) -> Advertisement? {
        guard case .publish(let advertisement, _)? = actions.last else { return nil }
        return advertisement
    }

    private mutating func answer(_ facts: AdvertisedFacts = Samples.facts()) -> [AdvertisingAction] {
        machine.receive(Self.check(.gateway(facts)))
    }

    /// The answer of the gateway is published, and the same answer later changes nothing.
    @Test mutating func theGatewaysAnswerIsAdvertised() throws {
        #expect(machine.state == .asking)
        let advertisement = try #require(Self.published(answer()))
        #expect(advertisement.name == "Home")
        #expect(advertisement.types == [.openClaw])
        #expect(advertisement.port == 3_000)
        #expect(advertisement.interfaces.isEmpty)
        #expect(Samples.strings(advertisement.txt) == ["fp=abc", "name=Home", "bots=1", "ver=3"])
        #expect(answer().isEmpty, "the same answer changes nothing")
    }

    @Test mutating func newBotsAreAChangeOfTheRecord() throws {
        _ = answer()
        guard case .update(let txt)? = answer(Samples.facts(bots: 2)).first else {
            Issue.record("a new number of bots must update the TXT record")
            return
        }
        #expect(txt.string(forKey: "bots") == "2")
        guard case .advertising(let facts, let advertisement, _) = machine.state else {
            Issue.record("\(machine.state)")
            return
        }
        #expect(facts.bots == 2 && advertisement.txt == txt)
    }

    @Test(arguments: [Samples.facts(name: "Other"), Samples.facts("other")])
    mutating func anotherNameOrGatewayIsAnotherAdvertisement(facts: AdvertisedFacts) {
        _ = answer()
        let actions = answer(facts)
        #expect(actions.count == 2 && actions.first == .withdraw)
        #expect(Self.published(actions) != nil)
    }

    /// A gateway that misses one check is not withdrawn; only two misses in a row withdraw it.
    @Test mutating func twoMissesInARowWithdraw() {
        _ = answer()
        #expect(machine.receive(Self.check(Self.silence)).isEmpty)
        #expect(answer().isEmpty)
        #expect(machine.receive(Self.check(Self.silence)).isEmpty)
        #expect(machine.receive(Self.check(Self.silence)) == [.withdraw])
        #expect(machine.state == .withheld(.noAnswer(.noAnswer(within: .seconds(1)))))
        #expect(Self.published(answer()) != nil, "a gateway that answers again must be published again")
    }

    /// After a miss, and once a minute, the gateway is asked in full who it is: another process may use the port by
    /// then.
    @Test mutating func afterAMissAndOnceAMinuteItIsAskedWhoItIs() {
        let facts = AdvertisedFacts(dialect: .openClaw)
        #expect(machine.nextRound().isWhole)
        _ = answer(facts)
        let rounds = (0..<60).map { _ in machine.nextRound() }
        #expect(rounds.map(\.pace) == Array(repeating: 2, count: 60))
        #expect(rounds.indices.filter { rounds[$0].isWhole } == [29, 59])
        _ = machine.receive(Self.check(Self.silence))
        let next = machine.nextRound()
        #expect(next.isWhole && next.pace == 1)
        _ = answer(facts)
        #expect(!machine.nextRound().isWhole)
    }

    /// A check for which this process has no socket is no miss, since it says nothing about the gateway.
    @Test mutating func aCheckWithoutASocketIsNoMiss() {
        _ = answer()
        for _ in 0..<5 { #expect(machine.receive(Self.check(.nothing(.noSocket))).isEmpty) }
        #expect(machine.receive(Self.check(Self.silence)).isEmpty)
        #expect(machine.receive(Self.check(Self.silence)) == [.withdraw])
    }

    /// An answer from something that is no gateway withdraws the advertisement at once.
    @Test mutating func whatIsNoGatewayWithdrawsAtOnce() {
        _ = answer()
        #expect(machine.receive(Self.check(Self.stranger)) == [.withdraw])
        guard case .withheld(.noGateway) = machine.state else {
            Issue.record("\(machine.state)")
            return
        }
    }

    @Test mutating func anAddressOfAnotherHostIsNeverAdvertised() throws {
        let foreign = try #require(IPAddress("10.0.0.9"))
        _ = answer()
        #expect(machine.receive(Self.check(.foreignAddress(foreign), at: [:])) == [.withdraw])
        #expect(machine.state == .withheld(.otherHost(foreign)))
    }

    @Test mutating func aGatewayOnLoopbackIsNotAdvertised() {
        let found = machine.receive(
            Self.check(.gateway(Samples.facts()), at: [Samples.eth0: .nothing(.refused)])
        )
        #expect(found.isEmpty)
        #expect(machine.state == .withheld(.notReachable(addresses: [Samples.eth0.address])))
        #expect(Self.published(answer()) != nil, "the gateway now answers at the address on the network")
    }

    @Test mutating func withoutANetworkNothingIsAdvertised() {
        #expect(machine.receive(Self.check(.gateway(Samples.facts()), at: [:])).isEmpty)
        #expect(machine.state == .withheld(.noNetwork))
    }

    /// With `isForced`, a gateway that other hosts cannot reach is advertised, but not as directly reachable.
    @Test func forceAdvertisesWhatNobodyReachesAndDoesNotCallItReachable() throws {
        var configuration = Samples.configuration(port: 18_789)
        configuration.isForced = true
        var machine = AdvertisingStateMachine(configuration)
        let facts = AdvertisedFacts(dialect: .openClaw)
        let first = machine.receive(Self.check(.gateway(facts), at: [Samples.eth0: .nothing(.refused)]))
        #expect(try #require(Self.published(first)).txt.string(forKey: "gatewayDirectReachable") == nil)
        guard case .update(let txt)? = machine.receive(Self.check(.gateway(facts))).first else {
            Issue.record("a gateway that has become reachable must update the TXT record")
            return
        }
        #expect(txt.string(forKey: "gatewayDirectReachable") == "1")
    }

    /// A gateway that stops answering at the addresses on the network is withdrawn after the second miss.
    @Test mutating func losingTheNetworkWithdraws() {
        _ = answer()
        let gateway = GatewayAnswer.gateway(Samples.facts())
        #expect(machine.receive(Self.check(gateway, at: [Samples.eth0: .nothing(.refused)])).isEmpty, "one miss")
        #expect(machine.receive(Self.check(gateway, at: [Samples.eth0: .nothing(.refused)])) == [.withdraw])
        #expect(machine.state == .withheld(.notReachable(addresses: [Samples.eth0.address])))
    }

    /// A gateway that is bound to one of several addresses is published only on the interface of that address.
    @Test mutating func itIsPublishedOnlyWhereItAnswers() throws {
        let gateway = GatewayAnswer.gateway(Samples.facts())
        let first = machine.receive(Self.check(gateway, at: [Samples.eth0: gateway, Samples.eth1: .nothing(.refused)]))
        #expect(try #require(Self.published(first)).interfaces == ["eth0"])
        let second = machine.receive(Self.check(gateway, at: [Samples.eth0: gateway, Samples.eth1: gateway]))
        #expect(second.first == .withdraw)
        #expect(try #require(Self.published(second)).interfaces.isEmpty)
    }

    /// A new interface on which the gateway does not answer yet is checked again before everything is published anew.
    @Test mutating func anInterfaceThatComesUpDoesNotDisturb() {
        let gateway = GatewayAnswer.gateway(Samples.facts())
        _ = answer()
        let both: [LocalAddress: GatewayAnswer] = [Samples.eth0: gateway, Samples.eth1: .nothing(.unreachable)]
        #expect(machine.receive(Self.check(gateway, at: both)).isEmpty)
        #expect(machine.nextRound().asksNetwork)
        #expect(machine.receive(Self.check(gateway, at: [Samples.eth0: gateway, Samples.eth1: gateway])).isEmpty)
    }

    @Test mutating func anotherServerAtTheNetworkAddressIsNotOurs() {
        let gateway = GatewayAnswer.gateway(Samples.facts())
        _ = machine.receive(Self.check(gateway, at: [Samples.eth0: .gateway(Samples.facts("other"))]))
        #expect(machine.state == .withheld(.otherAtAddress(Samples.eth0.address)))
    }

    @Test mutating func anotherCertificateAtTheNetworkAddressIsNotOurs() throws {
        let gateway = GatewayAnswer.gateway(Samples.facts(leaf: try Samples.leaf(1)))
        let impostor = GatewayAnswer.gateway(Samples.facts(leaf: try Samples.leaf(2)))
        _ = machine.receive(Self.check(gateway, at: [Samples.eth0: impostor]))
        #expect(machine.state == .withheld(.otherAtAddress(Samples.eth0.address)))
    }

    /// A renewed certificate of the same gateway updates the TXT record, and does not end the publication.
    @Test mutating func aRenewedCertificateIsAChangeOfTheRecord() throws {
        _ = answer(Samples.facts(leaf: try Samples.leaf(1)))
        guard case .update(let txt)? = answer(Samples.facts(leaf: try Samples.leaf(2))).first else {
            Issue.record("a renewed certificate must update the TXT record")
            return
        }
        #expect(txt.string(forKey: "gatewayTlsSha256") == String(repeating: "02", count: 32))
    }

    /// A configured name is refused if the gateway reports another one, and used if the gateway reports none.
    @Test func aNameThatTheGatewayDoesNotSayIsRefused() throws {
        var configuration = Samples.configuration()
        configuration.name = "Kitchen"
        var machine = AdvertisingStateMachine(configuration)
        #expect(machine.receive(Self.check(.gateway(Samples.facts()))).isEmpty)
        #expect(machine.state == .withheld(.otherName(said: "Home")))
        let silent = machine.receive(Self.check(.gateway(Samples.facts(name: nil))))
        #expect(try #require(Self.published(silent)).name == "Kitchen")
    }

    @Test mutating func aGatewayWithoutANameGetsTheHosts() throws {
        #expect(try #require(Self.published(answer(Samples.facts(name: nil)))).name == "studio")
    }

    /// A gateway of a dialect without a service type is advertised only if one is configured.
    @Test func clawlineNeedsAType() throws {
        var configuration = Samples.configuration()
        var machine = AdvertisingStateMachine(configuration)
        let answer = Self.check(.gateway(AdvertisedFacts(dialect: .clawline)))
        #expect(machine.receive(answer).isEmpty)
        #expect(machine.state == .withheld(.noServiceType(.clawline)))
        configuration.types = [try ServiceType("_clawline._tcp")]
        machine = AdvertisingStateMachine(configuration)
        #expect(Self.published(machine.receive(answer))?.types == configuration.types)
    }

    /// States of an earlier publication are ignored.
    @Test mutating func statesOfAnOldPublicationAreIgnored() throws {
        _ = answer()
        _ = answer(Samples.facts(name: "Other"))
        let before = machine.state
        #expect(machine.receive(.failed(BackendError(.nameConflict, "taken")), of: 1).isEmpty)
        #expect(machine.state == before)
        _ = machine.receive(.published(name: "Other"), of: 2)
        guard case .advertising(_, _, .published(name: "Other")) = machine.state else {
            Issue.record("\(machine.state)")
            return
        }
    }

    @Test mutating func aPublicationThatFailsForGoodEndsIt() {
        _ = answer()
        let error = BackendError(.nameConflict, "taken")
        #expect(machine.receive(.failed(error), of: 1) == [.finish])
        #expect(machine.state == .failed(error))
    }

    /// While the gateway is published, its addresses on the network are asked in every third check; otherwise in every
    /// check, and sometimes in every dialect.
    @Test mutating func theNetworkIsAskedAtEveryThirdCheck() {
        #expect(machine.nextRound().known == nil)
        #expect(machine.nextRound().asksNetwork)
        _ = answer()
        let rounds = (0..<6).map { _ in machine.nextRound() }
        #expect(rounds.map(\.asksNetwork).filter { $0 }.count == 2)
        #expect(rounds.allSatisfy { $0.known == Samples.facts() && !$0.isThorough })
        #expect(rounds[0].asksNetwork(at: [Samples.eth0, Samples.eth1]), "a new address is asked at once")
        _ = machine.receive(Self.check(Self.stranger))
        let withheld = (0..<8).map { _ in machine.nextRound() }
        #expect(withheld.allSatisfy { $0.asksNetwork })
        #expect(withheld.filter(\.isThorough).count == 1)
    }

    /// A gateway that answers on this host alone may do so for days: its addresses on the network are asked each time at
    /// first, then seldom; a new address, or the gateway after it was away, at once.
    @Test mutating func theNetworkIsAskedSeldomWhileItDoesNotAnswerThere() {
        let gateway = GatewayAnswer.gateway(Samples.facts())
        let silent = Self.check(gateway, at: [Samples.eth0: .nothing(.refused)])
        func rounds(_ count: Int) -> [Bool] {
            (0..<count).map { _ in
                let round = machine.nextRound()
                let isAsked = round.asksNetwork(at: [Samples.eth0])
                _ = machine.receive(
                    isAsked ? silent : CheckResult(answer: gateway, addresses: [Samples.eth0], answers: [:])
                )
                return isAsked
            }
        }
        #expect(rounds(5) == Array(repeating: true, count: 5))
        #expect(rounds(60).count { $0 } == 4)
        #expect(machine.state == .withheld(.notReachable(addresses: [Samples.eth0.address])))
        #expect(machine.nextRound().asksNetwork(at: [Samples.eth0, Samples.eth1]))
        _ = machine.receive(Self.check(.nothing(.refused)))
        #expect(rounds(1) == [true])
        _ = answer()
        guard case .advertising = machine.state else {
            Issue.record("\(machine.state)")
            return
        }
    }

    /// A gateway that stops is withdrawn after three seconds at most, and its goodbye takes one second more. The time
    /// is that of two checks that both time out, of which the first may begin a whole interval after the gateway has
    /// stopped.
    @Test func theDefaultsWithdrawWithinFiveSeconds() {
        let configuration = Samples.configuration()
        #expect(configuration.timeout <= configuration.interval)
        #expect(configuration.interval * 2 + configuration.timeout <= .seconds(3))
    }
}
