import DNSSD
import GatewayProtocol
import Scanning
import TestSupport
import Testing

@testable import Pairing

/// The decisions of the pairing machine, without a gateway.
@Suite struct PairingMachineTests {
    /// Returns a machine that has identified the gateway of an offer.
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

    /// Returns the attempt among actions.
    private func asked(_ actions: [PairingMachine.Action]) -> PairingAttempt? {
        for case .pair(let attempt) in actions { return attempt }
        return nil
    }

    /// Returns the code of the error with which a machine has failed; `nil` if it has not.
    private func error(_ machine: PairingMachine) -> ErrorCode<PairingError>? {
        guard case .failed(let error) = machine.state else { return nil }
        return error.code
    }

    /// A gateway with TLS is trusted by the certificate that the user was shown, and the granted tokens are stored.
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

    /// The wanted bots are shown as being paired in the map, and as discovered again after a cancellation.
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

    /// Without TLS, the user's choice of trust decides the policy, and there is no default.
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

    /// A gateway without TLS cannot be paired with in a network that cannot be distinguished from others.
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

    /// Through a tunnel, there is no way to trust a gateway without TLS, so the user is not even asked.
    @Test func atTheEndOfATunnelOnlyTLSIsTrusted() throws {
        let tunnel = NetworkObservation(
            prefix: PairingSamples.home.prefix,
            prefixLength: 32,
            router: .none,
            gateway: .none
        )
        let plain = machine(try PairingSamples.offer(network: tunnel))
        #expect(error(plain) == .unknownNetwork)
        #expect(try PairingSamples.offer(network: tunnel).plainChoices.isEmpty)
        let pinned = machine(try PairingSamples.offer(leaf: PairingSamples.leaf(7), network: tunnel))
        #expect(pinned.state.name == "confirming")
        #expect(try PairingSamples.offer().plainChoices == [.address, .lan])
    }

    /// Over a tailnet or a WireGuard interface, there is one way to trust it, which has to be chosen: consent in advance does
    /// not choose it, and no other way goes.
    @Test(arguments: [true, false]) func atTheEndOfATunnelItIsTrustedAsThat(isTailnet: Bool) throws {
        let key = "nodekey:" + String(repeating: "a1", count: 32)
        let tunnel = NetworkTunnel(name: "wg0", kind: .wireguard, address: PairingSamples.endpoint.address)
        let network = NetworkObservation(
            prefix: PairingSamples.home.prefix,
            prefixLength: 24,
            router: .none,
            gateway: .none,
            tunnel: isTailnet ? nil : tunnel,
            node: isTailnet ? TailnetNode(key) : nil
        )
        let (way, policy): (PlainTrust, TrustPolicy) =
            isTailnet ? (.tailnet, .tailnet(try #require(TailnetNode(key)))) : (.tunnel, .tunnel(tunnel))
        let offer = try PairingSamples.offer(network: network)
        #expect(offer.plainChoices == [way])
        var chosen = machine(offer)
        #expect(asked(chosen.handle(.confirmed(PairingConsent(plainTrust: way)), at: 0))?.policy == policy)
        for form in [PairingConsent.Form.seen, .inAdvance] {
            var unchosen = machine(offer)
            #expect(asked(unchosen.handle(.confirmed(PairingConsent(isInAdvance: form == .inAdvance)), at: 0)) == nil)
            #expect(error(unchosen) == .trustNotChosen)
        }
        for other in PlainTrust.allCases where other != way {
            var refused = machine(offer)
            #expect(asked(refused.handle(.confirmed(PairingConsent(plainTrust: other)), at: 0)) == nil)
            #expect(error(refused) == .unknownNetwork)
        }
        // Where the network is told from others by its router, a tunnel is not offered.
        #expect(try PairingSamples.offer().plainChoices == [.address, .lan])
    }

    /// In a network without a router, a gateway is trusted at its address only, and not anywhere in the network: only
    /// the prefix would identify it, which many networks have.
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

    /// A gateway that is not the one of the target is not paired with: another certificate, no TLS, or another
    /// fingerprint; nor is one in an unsupported dialect.
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
    }

    /// Every dialect that other parts of the program offer to pair with can be paired with.
    @Test(arguments: GatewayDialect.allCases)
    func eachDialectThatIsOfferedHasItsWay(dialect: GatewayDialect) {
        #expect((PairingDialects.all[dialect] != nil) == dialect.isPairedWith(overTLS: true))
    }

    /// The choice of a bot that the gateway does not have fails.
    @Test func botsThatAreNotThereAreNotAskedFor() throws {
        var machine = machine(try PairingSamples.offer(leaf: PairingSamples.leaf(7), bots: PairingSamples.bots("a")))
        _ = machine.handle(.confirmed(PairingConsent(bots: .some([try #require(BotID("z"))]))), at: 0)
        #expect(error(machine) == .unknownBots)
    }

    /// Of what a gateway grants, only what was asked for is kept: a token for another bot would open something that
    /// the user has not agreed to. The rest is withdrawn once the pairing is stored.
    @Test func botsThatWereNotAskedForAreNotKept() throws {
        let offer = try PairingSamples.offer(leaf: PairingSamples.leaf(7), bots: PairingSamples.bots("a", "b", "c"))
        var machine = machine(offer)
        let wanted = try #require(BotID("a"))
        _ = machine.handle(.confirmed(PairingConsent(bots: .some([wanted]))), at: 0)
        let actions = machine.handle(.granted(try PairingSamples.grant("a", "b", "c")), at: 1)
        guard case .store(let kept, _) = actions.last else { throw CancellationError() }
        #expect(kept == (try PairingSamples.grant("a")))
        let id = PairingID()
        guard case .withdrawSurplus(let surplus, _) = machine.handle(.stored(id), at: 1).last else {
            throw CancellationError()
        }
        #expect(surplus == (try PairingSamples.grant("b", "c")))
        #expect(machine.state == .withdrawing(surplus.bots))
        #expect(machine.handle(.cancelled, at: 1).isEmpty, "the pairing is stored already")
        _ = machine.handle(.withdrawn, at: 1)
        #expect(machine.state == .paired(id))
    }

    /// A token that opens more bots than were asked for is kept for those that were.
    @Test func aTokenForMoreBotsIsKeptForThoseAskedFor() throws {
        let offer = try PairingSamples.offer(leaf: PairingSamples.leaf(7), bots: PairingSamples.bots("a", "b"))
        var machine = machine(offer)
        _ = machine.handle(.confirmed(PairingConsent(bots: .some([try #require(BotID("a"))]))), at: 0)
        let token = PairingGrant.Token(bots: offer.bots.map(\.id), secret: Secret("t"), scopes: [])
        let actions = machine.handle(.granted(PairingGrant(bots: offer.bots, tokens: [token])), at: 1)
        guard case .store(let kept, _) = actions.last else { throw CancellationError() }
        #expect(kept.bots.map(\.id.text) == ["a"])
        #expect(kept.tokens.map { $0.bots.map(\.text) } == [["a"]])
    }

    /// A bot that was paired before and is granted again has a new token, which has ended its old one: it is kept.
    @Test func aBotThatWasPairedBeforeIsNotWithdrawn() throws {
        let bots = try PairingSamples.bots("a", "b", "c")
        let offer = PairingOffer(
            gatewayID: try PairingSamples.offer().gatewayID,
            name: "Home Gateway",
            dialect: .optaplus,
            bots: bots,
            endpoint: PairingSamples.endpoint,
            leaf: try PairingSamples.leaf(7),
            pairing: PairingSamples.pairing(.pinned(try PairingSamples.leaf(7)), bots: [bots[1]])
        )
        var machine = machine(offer)
        _ = machine.handle(.confirmed(PairingConsent(bots: .some([bots[0].id]))), at: 0)
        let actions = machine.handle(.granted(try PairingSamples.grant("a", "b", "c")), at: 1)
        guard case .store(let kept, _) = actions.last else { throw CancellationError() }
        #expect(kept == (try PairingSamples.grant("a", "b")))
    }

    /// A grant of nothing but bots that were not asked for is a failure, and is withdrawn.
    @Test func aGrantOfOtherBotsAloneIsAFailure() throws {
        let offer = try PairingSamples.offer(leaf: PairingSamples.leaf(7), bots: PairingSamples.bots("a", "b"))
        var machine = machine(offer)
        _ = machine.handle(.confirmed(PairingConsent(bots: .some([try #require(BotID("a"))]))), at: 0)
        let other = try PairingSamples.grant("z")
        let actions = machine.handle(.granted(other), at: 1)
        #expect(error(machine) == .unknownBots)
        guard case .withdraw(let withdrawn, _) = actions.first else { throw CancellationError() }
        #expect(withdrawn == other)
    }

    /// A Clawline provider asks for no secret, so one that is at hand is no reason not to ask it; and a request that waits
    /// is shown, and not repeated.
    @Test func aClawlineProviderDecidesOnTheSameConnection() throws {
        var machine = machine(try PairingSamples.offer(.clawline, leaf: PairingSamples.leaf(7)))
        let consent = PairingConsent(isInAdvance: true, secrets: [.sharedToken])
        #expect(asked(machine.handle(.confirmed(consent), at: 0)) != nil)
        let refusal = SessionRefusal(dialect: .clawline, reason: .notPaired, credential: .none)
        let actions = machine.handle(.waiting(refusal), at: 1)
        #expect(actions.isEmpty)
        guard case .approvalNeeded(let approval) = machine.state else {
            Issue.record("expected a wait, found \(machine.state)")
            return
        }
        #expect(approval.nextRequest == nil && approval.since == 1)
        _ = machine.handle(.refused(SessionRefusal(clawline: "pair_timeout", credential: .none)), at: 2)
        #expect(error(machine) == .refused)
    }

    /// A Clawline provider that was asked as often as it allows is asked again after that time, and not sooner.
    @Test func aClawlineProviderThatWasAskedTooOftenIsAskedLater() throws {
        var machine = machine(try PairingSamples.offer(.clawline, leaf: PairingSamples.leaf(7)))
        _ = machine.handle(.confirmed(PairingConsent(isInAdvance: true)), at: 0)
        let refusal = SessionRefusal(
            dialect: .clawline,
            reason: .rateLimited,
            credential: .none,
            retryAfter: .seconds(42)
        )
        let actions = machine.handle(.refused(refusal), at: 1_000)
        #expect(actions == [.retry(after: .seconds(42), atLeast: .seconds(42))])
        guard case .notReady(let error, let nextRequest) = machine.state else {
            Issue.record("expected a wait, found \(machine.state)")
            return
        }
        #expect(nextRequest == 43_000)
        #expect(error.message.hasSuffix("It is tried again in 42 s."), "\(error.message)")
        #expect(asked(machine.handle(.retryDue, at: 43_000)) != nil)
    }

    /// With a consent in advance, a secret that opens all of a gateway goes only to one that is proved. Without a
    /// proof, nothing at all is asked of the gateway if no other secret is at hand.
    @Test(arguments: PairingProof.allCases)
    func aSharedSecretGoesUnseenOnlyToAProvedGateway(proof: PairingProof) throws {
        let offer = try PairingSamples.offer(.openClaw, leaf: PairingSamples.leaf(7), proof: proof)
        for kind in [SecretQuestion.Kind.sharedToken, .password] {
            var machine = machine(offer)
            let consent = PairingConsent(isInAdvance: true, secrets: [kind])
            let isAsked = asked(machine.handle(.confirmed(consent), at: 0)) != nil
            #expect(isAsked == (proof != .unproved))
            if !isAsked { #expect(error(machine) == .unproved) }
        }
        // A setup code is for one pairing.
        var machine = machine(offer)
        let consent = PairingConsent(isInAdvance: true, secrets: [.sharedToken, .setupCode])
        #expect(asked(machine.handle(.confirmed(consent), at: 0)) != nil)
        // A secret that was not announced is held to the same rule.
        _ = machine.handle(.refused(PairingSamples.refusal(.tokenMissing)), at: 0)
        let actions = machine.handle(.secretGiven(SecretAnswer(.sharedToken, Secret("t"), sendsInClear: true)), at: 0)
        #expect((asked(actions) != nil) == (proof != .unproved))
        if proof == .unproved { #expect(error(machine) == .unproved) }
    }

    /// With a consent in advance, a code that is at hand goes only to a gateway that is proved, and another is not even
    /// asked for a pairing, since it would want the code.
    @Test(arguments: PairingProof.allCases, [false, true])
    func aCodeGoesUnseenOnlyToAProvedGateway(proof: PairingProof, isInLink: Bool) throws {
        let offer = try PairingSamples.offer(leaf: PairingSamples.leaf(7), bots: PairingSamples.bots("a"), proof: proof)
        let token = isInLink ? Secret("t") : nil
        var machine = PairingMachine(
            PairingTarget(place: .endpoints([PairingSamples.endpoint]), pairingToken: token)
        )
        _ = machine.handle(.began, at: 0)
        _ = machine.handle(.resolved([PairingSamples.endpoint]), at: 0)
        _ = machine.handle(.identified(offer), at: 0)
        let consent = PairingConsent(isInAdvance: true, secrets: isInLink ? [] : [.pairingToken])
        let isAsked = asked(machine.handle(.confirmed(consent), at: 0)) != nil
        #expect(isAsked == (proof != .unproved))
        if !isAsked { #expect(error(machine) == .unproved) }
    }

    /// With a consent in advance, the token of a setup code goes only to a certificate that the code names, or to a
    /// gateway that is proved.
    @Test(arguments: PairingProof.allCases)
    func aSetupCodeWithoutACertificateGoesUnseenOnlyToAProvedGateway(proof: PairingProof) throws {
        var machine = machine(try PairingSamples.offer(.openClaw, leaf: PairingSamples.leaf(7), proof: proof))
        _ = machine.handle(.confirmed(PairingConsent(isInAdvance: true, secrets: [.setupCode])), at: 0)
        _ = machine.handle(.refused(PairingSamples.refusal(.tokenMissing)), at: 0)
        let json = #"{"url":"wss://10.0.0.5:3000","bootstrapToken":"t"}"#
        let answer = SecretAnswer(.setupCode, Secret(Base64.url.encode(Array(json.utf8))))
        #expect((asked(machine.handle(.secretGiven(answer), at: 0)) != nil) == (proof != .unproved))
        if proof == .unproved { #expect(error(machine) == .unproved) }
    }

    /// Whoever has seen the gateway may send it any secret.
    @Test func aSharedSecretGoesToAGatewayThatTheUserHasSeen() throws {
        var machine = machine(try PairingSamples.offer(.openClaw, leaf: PairingSamples.leaf(7)))
        #expect(asked(machine.handle(.confirmed(PairingConsent(secrets: [.sharedToken])), at: 0)) != nil)
        _ = machine.handle(.refused(PairingSamples.refusal(.tokenMissing)), at: 0)
        #expect(asked(machine.handle(.secretGiven(SecretAnswer(.sharedToken, Secret("t"))), at: 0)) != nil)
    }

    // MARK: OpenClaw

    /// Returns a machine that has asked an OpenClaw gateway for a pairing.
    private func asking(leaf: LeafFingerprint?) throws -> PairingMachine {
        var machine = machine(try PairingSamples.offer(.openClaw, leaf: leaf))
        _ = machine.handle(.confirmed(PairingConsent(plainTrust: .lan)), at: 0)
        return machine
    }

    /// A gateway that demands a secret makes the machine ask the user for one, and only an answer of a kind that is
    /// asked for is accepted.
    @Test func aSecretIsAskedFor() throws {
        var machine = try asking(leaf: PairingSamples.leaf(7))
        #expect(machine.handle(.refused(PairingSamples.refusal(.tokenMissing)), at: 0).isEmpty)
        guard case .secretNeeded(let question) = machine.state else { throw CancellationError() }
        #expect(question.kinds == [.sharedToken, .setupCode])
        #expect(!question.isPlain)
        // The answer is of another kind, or is empty.
        #expect(machine.handle(.secretGiven(SecretAnswer(.password, Secret("p"))), at: 0).isEmpty)
        #expect(machine.handle(.secretGiven(SecretAnswer(.sharedToken, Secret(""))), at: 0).isEmpty)
        let actions = machine.handle(.secretGiven(SecretAnswer(.sharedToken, Secret("t"))), at: 0)
        #expect(asked(actions)?.credential == .sharedToken(Secret("t")))
    }

    /// Without TLS, a shared secret is sent only after the user's consent, since it would open the whole gateway to
    /// anybody who sees it.
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

    /// The bootstrap token is taken from a setup code, and text that is no setup code is refused.
    @Test func aSetupCodeIsTakenApart() throws {
        var machine = try asking(leaf: PairingSamples.leaf(7))
        _ = machine.handle(.refused(PairingSamples.refusal(.tokenMissing)), at: 0)
        #expect(machine.handle(.secretGiven(SecretAnswer(.setupCode, Secret("nonsense!"))), at: 0).isEmpty)
        let json = #"{"url":"ws://10.0.0.5:18789","bootstrapToken":"boot"}"#
        let code = Secret(Base64.url.encode(Array(json.utf8)))
        let actions = machine.handle(.secretGiven(SecretAnswer(.setupCode, code)), at: 0)
        #expect(asked(actions)?.credential == .bootstrapToken(Secret("boot")))
    }

    /// The machine gives up after a number of wrong secrets, before the ten after which a gateway locks.
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

    /// The same request is repeated until the operator has approved it, and its age is counted from the first time.
    @Test func anApprovalIsWaitedForWithOneRequest() throws {
        var machine = try asking(leaf: PairingSamples.leaf(7))
        let refusal = PairingSamples.refusal(.notPaired, requestID: "r-1")
        let first = machine.handle(.refused(refusal), at: 1_000)
        #expect(first == [.retry(after: .milliseconds(1_250), atLeast: .seconds(1))])
        #expect(asked(machine.handle(.retryDue, at: 31_000)) != nil)
        _ = machine.handle(.refused(refusal), at: 31_000)
        guard case .approvalNeeded(let approval) = machine.state else { throw CancellationError() }
        #expect(approval.command == "openclaw devices approve r-1")
        #expect(approval.age(at: 61_000) == .seconds(60))
        // A gateway that cannot be reached for a while has not rejected the request.
        _ = machine.handle(.retryDue, at: 61_000)
        let actions = machine.handle(.notReached("away"), at: 61_000)
        #expect(actions == [.retry(after: .milliseconds(1_250), atLeast: .seconds(1))])
        _ = machine.handle(.retryDue, at: 91_000)
        let grant = PairingGrant(
            bots: try PairingSamples.bots("main"),
            tokens: [PairingGrant.Token(bots: [], secret: Secret("t"), scopes: ["operator.read"])]
        )
        _ = machine.handle(.granted(grant), at: 91_000)
        #expect(machine.state == .storing)
    }

    /// The program of the gateway's operator is known from the demand for an approval, and stored with what is granted.
    @Test(arguments: SessionRefusal.OperatorTool.allCases)
    func theOperatorsProgramIsStored(tool: SessionRefusal.OperatorTool) throws {
        var machine = try asking(leaf: PairingSamples.leaf(7))
        let refusal = PairingSamples.refusal(.notPaired, requestID: "r-1", operatorTool: tool)
        _ = machine.handle(.refused(refusal), at: 1_000)
        let attempt = try #require(asked(machine.handle(.retryDue, at: 31_000)))
        #expect(attempt.operatorTool == tool)
    }

    /// Another request in place of the first means that the operator has rejected that, since a device is not informed
    /// of it. The repetition that finds out makes a request, and the user is told how to end that.
    @Test func anotherRequestIsARejection() throws {
        var rejected = try asking(leaf: PairingSamples.leaf(7))
        _ = rejected.handle(.refused(PairingSamples.refusal(.notPaired, requestID: "r-1")), at: 0)
        _ = rejected.handle(.retryDue, at: 30_000)
        _ = rejected.handle(.refused(PairingSamples.refusal(.notPaired, requestID: "r-2")), at: 30_000)
        guard case .failed(let error) = rejected.state else { throw CancellationError() }
        #expect(error.code == .rejected)
        #expect(error.message.hasSuffix("openclaw devices reject r-2"))
    }

    /// A request that has waited for as long as gateways keep one has expired, and nobody has rejected it: pairing goes
    /// on with the request that has taken its place. Some gateways count that time from the first request, however
    /// often it is repeated.
    @Test(arguments: [1, 100]) func anExpiredRequestIsRenewed(repetitions: Int) throws {
        var machine = try asking(leaf: PairingSamples.leaf(7))
        let first = PairingSamples.refusal(.notPaired, requestID: "r-1")
        _ = machine.handle(.refused(first), at: 0)
        for count in 1..<repetitions {
            _ = machine.handle(.retryDue, at: count * 3_000)
            _ = machine.handle(.refused(first), at: count * 3_000)
        }
        _ = machine.handle(.retryDue, at: 300_000)
        _ = machine.handle(.refused(PairingSamples.refusal(.notPaired, requestID: "r-2")), at: 300_000)
        guard case .approvalNeeded(let approval) = machine.state else { throw CancellationError() }
        #expect(approval.requestID == "r-2")
        #expect(approval.since == 300_000)
        #expect(approval.isRenewed)
        // The new request is as old as its own first answer.
        _ = machine.handle(.retryDue, at: 330_000)
        _ = machine.handle(.refused(PairingSamples.refusal(.notPaired, requestID: "r-3")), at: 330_000)
        #expect(error(machine) == .rejected)
    }

    /// People approve at once or much later: the gateway is asked often for two minutes, however often the request
    /// changes, and seldom after that.
    @Test func thePaceOfAskingSlowsDown() throws {
        var machine = try asking(leaf: PairingSamples.leaf(7))
        func pause(_ actions: [PairingMachine.Action]) -> Duration? {
            guard case .retry(let pause, atLeast: .seconds(1)) = actions.first else { return nil }
            return pause
        }
        let refusal = PairingSamples.refusal(.notPaired, requestID: "r-1")
        #expect(pause(machine.handle(.refused(refusal), at: 0, share: 0)) == .seconds(1))
        _ = machine.handle(.retryDue, at: 119_000)
        #expect(pause(machine.handle(.refused(refusal), at: 119_000, share: 1)) == .milliseconds(1_500))
        guard case .approvalNeeded(let approval) = machine.state else { throw CancellationError() }
        #expect(approval.nextRequest == 120_500)
        _ = machine.handle(.retryDue, at: 124_000)
        #expect(pause(machine.handle(.refused(refusal), at: 124_000, share: 0)) == .seconds(15))
        _ = machine.handle(.retryDue, at: 300_000)
        let renewed = PairingSamples.refusal(.notPaired, requestID: "r-2")
        #expect(pause(machine.handle(.refused(renewed), at: 300_000, share: 1)) == .seconds(30))
    }

    /// While an approval is awaited, a gateway that has locked is asked again after its lock. While none is, a lock
    /// ends the pairing.
    @Test func aLockedGatewayIsLeftAlone() throws {
        var waiting = try asking(leaf: PairingSamples.leaf(7))
        _ = waiting.handle(.refused(PairingSamples.refusal(.notPaired, requestID: "r-1")), at: 0)
        _ = waiting.handle(.retryDue, at: 30_000)
        let actions = waiting.handle(.refused(PairingSamples.refusal(.rateLimited)), at: 30_000)
        #expect(actions == [.retry(after: .seconds(300), atLeast: .seconds(300))])
        var machine = try asking(leaf: PairingSamples.leaf(7))
        _ = machine.handle(.refused(PairingSamples.refusal(.rateLimited)), at: 0)
        #expect(error(machine) == .refused)
    }

    /// A gateway that is starting is asked again a limited number of times.
    @Test func aStartingGatewayIsWaitedForAWhile() throws {
        var machine = try asking(leaf: PairingSamples.leaf(7))
        for _ in 0..<PairingMachine.mostStarts {
            let actions = machine.handle(.refused(PairingSamples.refusal(.starting)), at: 0)
            #expect(actions == [.retry(after: .seconds(1), atLeast: .seconds(1))])
            guard case .notReady(let error, let nextRequest) = machine.state else { throw CancellationError() }
            #expect(nextRequest == 1_000)
            #expect(error.message.hasSuffix("It is tried again."), "\(error.message)")
            _ = machine.handle(.retryDue, at: 0)
        }
        _ = machine.handle(.refused(PairingSamples.refusal(.starting)), at: 0)
        #expect(error(machine) == .refused)
    }

    /// A grant without a token for this device is no pairing: sessions would need the shared secret.
    @Test func aGreetingWithoutATokenIsNoPairing() throws {
        var machine = try asking(leaf: PairingSamples.leaf(7))
        _ = machine.handle(.granted(PairingGrant(bots: [], tokens: [])), at: 0)
        #expect(error(machine) == .noToken)
    }

    /// Any sequence of events keeps the rules: only allowed transitions, one action at a time, nothing asked of a
    /// gateway and no secret sent without a consent that allows it, and nothing after the end.
    @Test func everySequenceOfEventsKeepsTheRules() throws {
        var generator = SeededGenerator.forFuzzing("PairingMachine")
        let offers = try PairingDrive.offers()
        for _ in 0..<TestCases.count(100_000) {
            var drive = PairingDrive(offers, &generator)
            for _ in 0..<24 where drive.eventsAfterEnd < 3 { try drive.step(&generator) }
        }
    }
}
