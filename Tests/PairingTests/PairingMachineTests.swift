import Constellation
import DNSSD
import GatewayProtocol
import PairingStore
import TestSupport
import Testing

@testable import Pairing

/// The decisions of pairing, without a gateway.
@Suite struct PairingMachineTests {
    private func machine(
        _ offer: PairingOffer,
        target: PairingTarget = PairingTarget(place: .endpoints([PairingSamples.endpoint]))
    ) -> PairingMachine {
        var machine = PairingMachine(target)
        #expect(machine.handle(.began, at: 0) == [.resolve])
        #expect(machine.handle(.resolved([offer.endpoint]), at: 0) == [.identify([offer.endpoint])])
        _ = machine.handle(.identified(offer), at: 0)
        return machine
    }

    private func asked(_ actions: [PairingMachine.Action]) -> PairingAttempt? {
        for case .pair(let attempt) in actions { return attempt }
        return nil
    }

    private func error(_ machine: PairingMachine) -> PairingError.Code? {
        guard case .failed(let error) = machine.state else { return nil }
        return error.code
    }

    @Test func theShownCertificateIsPinned() throws {
        let leaf = try PairingSamples.leaf(7)
        let offer = try PairingSamples.offer(leaf: leaf, bots: PairingSamples.bots("a", "b"))
        var machine = machine(offer)
        #expect(machine.state == .confirming(offer))
        let actions = machine.handle(.confirmed(PairingConsent()), at: 1)
        let attempt = try #require(asked(actions))
        #expect(attempt.policy == .pinned(leaf))
        #expect(!attempt.credential.isSecret)
        let grant = PairingGrant(
            bots: offer.bots,
            tokens: [PairingGrant.Token(bots: offer.bots.map(\.id), secret: Secret("t"), scopes: [])]
        )
        #expect(machine.handle(.granted(grant), at: 2) == [.store(grant, attempt)])
        #expect(machine.state == .storing)
        let id = PairingID()
        #expect(machine.handle(.stored(id), at: 2).isEmpty)
        #expect(machine.state == .paired(id))
    }

    /// The wanted bots are reported to the map, and taken back.
    @Test func theMapIsToldOfTheBotsThatAreWanted() throws {
        let offer = try PairingSamples.offer(leaf: PairingSamples.leaf(7), bots: PairingSamples.bots("a", "b"))
        let bot = try #require(BotID("b"))
        var machine = machine(offer)
        let key = BotKey(gateway: offer.gatewayID, bot: bot)
        let begun = machine.handle(.confirmed(PairingConsent(bots: .some([bot]))), at: 0)
        #expect(begun.first == .report([.stateChanged(key, .pairing)]))
        #expect(machine.handle(.cancelled, at: 0) == [.stop, .report([.stateChanged(key, .discovered)])])
        #expect(machine.state == .cancelled)
    }

    /// Without TLS nothing is chosen for the user.
    @Test func plainWantsAChoice() throws {
        let offer = try PairingSamples.offer()
        var undecided = machine(offer)
        #expect(asked(undecided.handle(.confirmed(PairingConsent()), at: 0)) == nil)
        #expect(error(undecided) == .trustNotChosen)

        let home = try #require(PairingSamples.home.homeNetwork)
        var atAddress = machine(offer)
        let first = atAddress.handle(.confirmed(PairingConsent(plainTrust: .address)), at: 0)
        #expect(asked(first)?.policy == .sameAddress(home))
        var anywhere = machine(offer)
        #expect(asked(anywhere.handle(.confirmed(PairingConsent(plainTrust: .lan)), at: 0))?.policy == .lan(home))
    }

    /// A network that cannot be told from others is no place to trust an address.
    @Test func anUnknownNetworkIsNoHome() throws {
        let unknown = NetworkObservation(
            prefix: PairingSamples.home.prefix,
            prefixLength: 24,
            router: .unknown,
            gateway: .none
        )
        for network in [nil, unknown] {
            var machine = machine(try PairingSamples.offer(network: network))
            #expect(asked(machine.handle(.confirmed(PairingConsent(plainTrust: .lan)), at: 0)) == nil)
            #expect(error(machine) == .unknownNetwork)
        }
    }

    /// Without a router the prefix alone would be left, which every network may have.
    @Test func aNetworkWithoutARouterIsNotTrustedAsAWhole() throws {
        let network = NetworkObservation(
            prefix: PairingSamples.home.prefix,
            prefixLength: 24,
            router: .none,
            gateway: PairingSamples.home.gateway
        )
        let offer = try PairingSamples.offer(network: network)
        var anywhere = machine(offer)
        #expect(asked(anywhere.handle(.confirmed(PairingConsent(plainTrust: .lan)), at: 0)) == nil)
        #expect(error(anywhere) == .unknownNetwork)
        var atAddress = machine(offer)
        let actions = atAddress.handle(.confirmed(PairingConsent(plainTrust: .address)), at: 0)
        #expect(asked(actions)?.policy == .sameAddress(try #require(network.homeNetwork)))
    }

    @Test func anotherGatewayGetsNothing() throws {
        let leaf = try PairingSamples.leaf(7)
        let place = PairingTarget.Place.endpoints([PairingSamples.endpoint])
        let other = machine(
            try PairingSamples.offer(leaf: PairingSamples.leaf(8)),
            target: PairingTarget(place: place, leaf: leaf)
        )
        #expect(error(other) == .anotherGateway)
        let plain = machine(try PairingSamples.offer(), target: PairingTarget(place: place, leaf: leaf))
        #expect(error(plain) == .anotherGateway)
        let named = machine(
            try PairingSamples.offer(leaf: leaf),
            target: PairingTarget(place: place, fingerprint: GatewayFingerprint("another"))
        )
        #expect(error(named) == .anotherGateway)
        let foreign = machine(try PairingSamples.offer(.clawline, leaf: leaf))
        #expect(error(foreign) == .unsupported)
    }

    @Test func botsThatAreNotThereAreNotAskedFor() throws {
        var machine = machine(try PairingSamples.offer(leaf: PairingSamples.leaf(7), bots: PairingSamples.bots("a")))
        _ = machine.handle(.confirmed(PairingConsent(bots: .some([try #require(BotID("z"))]))), at: 0)
        #expect(error(machine) == .unknownBots)
    }

    // MARK: OpenClaw

    private func asking(leaf: LeafFingerprint?) throws -> PairingMachine {
        var machine = machine(try PairingSamples.offer(.openClaw, leaf: leaf))
        _ = machine.handle(.confirmed(PairingConsent(plainTrust: .lan)), at: 0)
        return machine
    }

    @Test func aSecretIsAskedFor() throws {
        var machine = try asking(leaf: PairingSamples.leaf(7))
        #expect(machine.handle(.refused(PairingSamples.refusal(.tokenMissing)), at: 0).isEmpty)
        guard case .secretNeeded(let question) = machine.state else { throw CancellationError() }
        #expect(question.kinds == [.sharedToken, .setupCode])
        #expect(!question.isPlain)
        // Of another kind, or of none.
        #expect(machine.handle(.secretGiven(SecretAnswer(.password, Secret("p"))), at: 0).isEmpty)
        #expect(machine.handle(.secretGiven(SecretAnswer(.sharedToken, Secret(""))), at: 0).isEmpty)
        let actions = machine.handle(.secretGiven(SecretAnswer(.sharedToken, Secret("t"))), at: 0)
        #expect(asked(actions)?.credential == .sharedToken(Secret("t")))
    }

    /// It opens all of the gateway to everybody on the way.
    @Test func aSharedSecretGoesInClearOnlyWithConsent() throws {
        var machine = try asking(leaf: nil)
        _ = machine.handle(.refused(PairingSamples.refusal(.tokenMissing)), at: 0)
        let token = Secret("t")
        #expect(machine.handle(.secretGiven(SecretAnswer(.sharedToken, token)), at: 0).isEmpty)
        guard case .secretNeeded(let question) = machine.state else { throw CancellationError() }
        #expect(question.isPlain)
        #expect(question.message.contains("in clear"))
        let actions = machine.handle(.secretGiven(SecretAnswer(.sharedToken, token, sendsInClear: true)), at: 0)
        #expect(asked(actions)?.credential == .sharedToken(token))
    }

    @Test func aSetupCodeIsTakenApart() throws {
        var machine = try asking(leaf: PairingSamples.leaf(7))
        _ = machine.handle(.refused(PairingSamples.refusal(.tokenMissing)), at: 0)
        #expect(machine.handle(.secretGiven(SecretAnswer(.setupCode, Secret("nonsense!"))), at: 0).isEmpty)
        let json = #"{"url":"ws://10.0.0.5:18789","bootstrapToken":"boot"}"#
        let code = Secret(Base64.url.encode(Array(json.utf8)))
        let actions = machine.handle(.secretGiven(SecretAnswer(.setupCode, code)), at: 0)
        #expect(asked(actions)?.credential == .bootstrapToken(Secret("boot")))
    }

    /// Ten failures lock a gateway.
    @Test func wrongSecretsComeToAnEnd() throws {
        var machine = try asking(leaf: PairingSamples.leaf(7))
        _ = machine.handle(.refused(PairingSamples.refusal(.tokenMissing)), at: 0)
        for _ in 0..<PairingMachine.mostSecrets {
            let actions = machine.handle(.secretGiven(SecretAnswer(.sharedToken, Secret("wrong"))), at: 0)
            #expect(asked(actions) != nil)
            _ = machine.handle(.refused(PairingSamples.refusal(.tokenMismatch, credential: .sharedToken)), at: 0)
        }
        _ = machine.handle(.secretGiven(SecretAnswer(.sharedToken, Secret("wrong"))), at: 0)
        #expect(error(machine) == .tooManySecrets)
    }

    @Test func anApprovalIsWaitedForWithOneRequest() throws {
        var machine = try asking(leaf: PairingSamples.leaf(7))
        let refusal = PairingSamples.refusal(.notPaired, requestID: "r-1")
        #expect(machine.handle(.refused(refusal), at: 1_000) == [.retrySeldom(atLeast: .zero)])
        #expect(asked(machine.handle(.retryDue, at: 31_000)) != nil)
        _ = machine.handle(.refused(refusal), at: 31_000)
        guard case .approvalNeeded(let approval) = machine.state else { throw CancellationError() }
        #expect(approval.command == "openclaw devices approve r-1")
        #expect(approval.age(at: 61_000) == .seconds(60))
        // A gateway that is away for a while is no rejection.
        _ = machine.handle(.retryDue, at: 61_000)
        #expect(machine.handle(.notReached("away"), at: 61_000) == [.retrySeldom(atLeast: .zero)])
        _ = machine.handle(.retryDue, at: 91_000)
        let grant = PairingGrant(
            bots: try PairingSamples.bots("main"),
            tokens: [PairingGrant.Token(bots: [], secret: Secret("t"), scopes: ["operator.read"])]
        )
        _ = machine.handle(.granted(grant), at: 91_000)
        #expect(machine.state == .storing)
    }

    /// A device is not told that it was rejected: there is another request.
    @Test func anotherRequestIsARejection() throws {
        var rejected = try asking(leaf: PairingSamples.leaf(7))
        _ = rejected.handle(.refused(PairingSamples.refusal(.notPaired, requestID: "r-1")), at: 0)
        _ = rejected.handle(.retryDue, at: 30_000)
        _ = rejected.handle(.refused(PairingSamples.refusal(.notPaired, requestID: "r-2")), at: 30_000)
        #expect(error(rejected) == .rejected)

        // Of one that the gateway has not heard of for its life, that is no wonder.
        var forgotten = try asking(leaf: PairingSamples.leaf(7))
        _ = forgotten.handle(.refused(PairingSamples.refusal(.notPaired, requestID: "r-1")), at: 0)
        _ = forgotten.handle(.retryDue, at: 400_000)
        _ = forgotten.handle(.refused(PairingSamples.refusal(.notPaired, requestID: "r-2")), at: 400_000)
        guard case .approvalNeeded(let approval) = forgotten.state else { throw CancellationError() }
        #expect(approval.requestID == "r-2")
        #expect(approval.since == 400_000)
    }

    @Test func aLockedGatewayIsLeftAlone() throws {
        var waiting = try asking(leaf: PairingSamples.leaf(7))
        _ = waiting.handle(.refused(PairingSamples.refusal(.notPaired, requestID: "r-1")), at: 0)
        _ = waiting.handle(.retryDue, at: 30_000)
        let actions = waiting.handle(.refused(PairingSamples.refusal(.rateLimited)), at: 30_000)
        #expect(actions == [.retrySeldom(atLeast: .seconds(300))])
        var machine = try asking(leaf: PairingSamples.leaf(7))
        _ = machine.handle(.refused(PairingSamples.refusal(.rateLimited)), at: 0)
        #expect(error(machine) == .refused)
    }

    @Test func aStartingGatewayIsWaitedForAWhile() throws {
        var machine = try asking(leaf: PairingSamples.leaf(7))
        for _ in 0..<PairingMachine.mostStarts {
            let actions = machine.handle(.refused(PairingSamples.refusal(.starting)), at: 0)
            #expect(actions == [.retrySoon(.milliseconds(500))])
            _ = machine.handle(.retryDue, at: 0)
        }
        _ = machine.handle(.refused(PairingSamples.refusal(.starting)), at: 0)
        #expect(error(machine) == .refused)
    }

    /// A session without a token of this device's own would have to live by the shared secret.
    @Test func aGreetingWithoutATokenIsNoPairing() throws {
        var machine = try asking(leaf: PairingSamples.leaf(7))
        _ = machine.handle(.granted(PairingGrant(bots: [], tokens: [])), at: 0)
        #expect(error(machine) == .noToken)
    }

    /// Whatever happens in whatever order: no transition that is not one, no action beside another, nothing asked or sent without a
    /// consent that allows it, and nothing after the end.
    @Test func everySequenceOfEventsKeepsTheRules() throws {
        var generator = SeededGenerator.forFuzzing("PairingMachine")
        let offers = try PairingDrive.offers()
        for _ in 0..<TestCases.count(100_000) {
            var drive = PairingDrive(offers, &generator)
            for _ in 0..<24 where drive.idle < 3 { try drive.step(&generator) }
        }
    }
}
