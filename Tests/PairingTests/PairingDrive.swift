import DNSSD
import GatewayProtocol
import TestSupport
import Testing

@testable import Pairing

/// Drives a ``PairingMachine`` with random events, and compares it with a simple model of what it may do.
struct PairingDrive {
    private var machine: PairingMachine
    private let offers: [PairingOffer]
    private var time = 0
    /// The running action that leads to an event.
    private var running: PairingMachine.Action?
    /// The offers to which the user has consented.
    private var consents: [PairingOffer] = []

    /// The number of events after the pairing had ended.
    private(set) var eventsAfterEnd = 0
    /// The secrets that the user has given.
    private var givenSecrets: [SecretAnswer] = []

    /// The states that may follow each state.
    private static let transitions: [String: Set<String>] = [
        "resolving": ["asking", "failed", "cancelled"],
        "asking": ["confirming", "failed", "cancelled"],
        "confirming": ["pairing", "failed", "cancelled"],
        "pairing": ["secretNeeded", "approvalNeeded", "notReady", "storing", "failed", "cancelled"],
        "notReady": ["secretNeeded", "approvalNeeded", "storing", "failed", "cancelled"],
        "secretNeeded": ["pairing", "failed", "cancelled"],
        "approvalNeeded": ["secretNeeded", "storing", "failed", "cancelled"],
        "storing": ["withdrawing", "paired", "failed"], "withdrawing": ["paired"],
        "paired": [], "failed": [], "cancelled": [],
    ]

    init(_ offers: [PairingOffer], _ generator: inout SeededGenerator) {
        self.offers = offers
        var target = PairingTarget(place: .endpoints([PairingSamples.endpoint]))
        if generator.next() % 4 == 0 { target.leaf = offers[0].leaf }
        if generator.next() % 4 == 0 { target.pairingToken = Secret("once") }
        machine = PairingMachine(target)
    }

    /// Returns offers of gateways of all kinds; the first four can be paired with.
    static func offers() throws -> [PairingOffer] {
        let leaf = try PairingSamples.leaf(7)
        let bots = try PairingSamples.bots("a", "b")
        return [
            try PairingSamples.offer(leaf: leaf, bots: bots),
            try PairingSamples.offer(.openClaw, leaf: leaf, proof: .leafGiven),
            try PairingSamples.offer(.openClaw), try PairingSamples.offer(bots: bots),
            try PairingSamples.offer(network: nil), try PairingSamples.offer(.openAgents, leaf: leaf),
            try PairingSamples.offer(.openAgents),
            try PairingSamples.offer(leaf: PairingSamples.leaf(8), fingerprint: "other"),
        ]
    }

    /// Records an issue unless a condition is met. `#expect` would take a hundred times as long, and this is called a
    /// million times.
    private func expect(_ condition: Bool, _ trouble: @autoclosure () -> String) {
        if !condition { Issue.record("\(trouble())") }
    }

    mutating func step(_ generator: inout SeededGenerator) throws {
        time += Int(generator.next() % 200_000)
        // Half of the events are those for which the machine waits.
        let event = generator.next() % 2 == 0 ? try expected(&generator) : try any(&generator)
        let before = machine.state
        if before.isFinal { eventsAfterEnd += 1 }
        let actions = machine.handle(event, at: time)
        let after = machine.state
        let isLegal = before.name == after.name || Self.transitions[before.name]?.contains(after.name) == true
        expect(isLegal, "\(before.name) to \(after.name)")
        if before.isFinal { expect(actions.isEmpty && before == after, "the machine acts or changes after its end") }
        if event == .cancelled, before.canBeGivenUp {
            expect(after == .cancelled, "not cancelled")
            expect(actions.contains(.stop) == (running != nil), "the running action is not stopped")
            running = nil
        }
        account(event, before)
        check(actions)
        let isIdle = after.isFinal || after.isQuestion
        expect(isIdle ? running == nil : running != nil || before == after, "wrong running action in \(after.name)")
    }

    private mutating func account(_ event: PairingMachine.Event, _ before: PairingState) {
        switch (before, event) {
        case (.confirming(let offer), .confirmed): consents.append(offer)
        case (.secretNeeded, .secretGiven(let answer)): givenSecrets.append(answer)
        default: break
        }
        if leads(running, to: event) { running = nil }
    }

    private func leads(_ action: PairingMachine.Action?, to event: PairingMachine.Event) -> Bool {
        switch (action, event) {
        case (nil, _): false
        case (_, .failed): true
        case (.resolve, .resolved), (.identify, .identified), (.pair, .granted), (.pair, .refused),
            (.pair, .notReached), (.retry, .retryDue), (.store, .stored),
            (.withdrawSurplus, .withdrawn):
            true
        default: false
        }
    }

    private mutating func check(_ actions: [PairingMachine.Action]) {
        for action in actions {
            switch action {
            case .report, .stop, .withdraw: continue
            case .pair(let attempt): check(attempt)
            case .resolve, .identify, .retry, .store, .withdrawSurplus: break
            }
            expect(running == nil, "two actions at once")
            running = action
        }
    }

    /// Checks that an attempt has the user's consent to exactly this gateway, that the trust policy allows it there,
    /// and that its secret was given for it.
    private func check(_ attempt: PairingAttempt) {
        let offer = attempt.offer
        expect(consents.contains(offer), "an attempt without consent")
        let decision = attempt.policy.decision(for: offer.attempt(knownEndpoints: [offer.endpoint]))
        expect(decision == .allowed, "\(decision)")
        expect(attempt.policy.isPlain == offer.isPlain, "another policy than consented to")
        let mayBePlain = offer.dialect.maySendItsToken(inClearTo: offer.endpoint.address)
        expect(!offer.isPlain || mayBePlain, "the one token of a gateway without TLS, out of the local network")
        if let leaf = machine.target.leaf {
            expect(offer.leaf == leaf, "an attempt with another certificate than the demanded one")
        }
        switch attempt.credential.kind {
        case .none: break
        case .deviceToken: Issue.record("a device token before pairing")
        case .sharedToken, .password:
            let answers = givenSecrets.filter {
                [.sharedToken, .password].contains($0.kind) && $0.secret == attempt.credential.secret
            }
            expect(
                answers.contains { !offer.isPlain || $0.sendsInClear },
                "a shared secret that was not given for this connection"
            )
            expect(attempt.form == .seen || offer.proof != .unproved, "a shared secret for whoever answers")
        case .bootstrapToken: expect(givenSecrets.contains { $0.kind == .setupCode }, "no setup code was given")
        }
    }

    // MARK: Events

    private func expected(_ generator: inout SeededGenerator) throws -> PairingMachine.Event {
        switch running {
        case .resolve: return .resolved([PairingSamples.endpoint])
        case .identify: return .identified(offers[Int(generator.next() % 4)])
        case .retry: return .retryDue
        case .store: return .stored(PairingID(using: &generator))
        case .withdrawSurplus: return .withdrawn
        case .pair:
            let grants = [try PairingSamples.grant("a"), try PairingSamples.grant("a", "b", "c")]
            let grant = grants[Int(generator.next() % 2)]
            return generator.next() % 8 == 0 ? .granted(grant) : .refused(refusal(&generator))
        case .report, .withdraw, .stop, nil: break
        }
        switch machine.state {
        case .resolving: return .began
        case .confirming: return .confirmed(PairingConsent(plainTrust: .address))
        case .secretNeeded(let question):
            let kind = question.kinds[Int(generator.next() % UInt64(question.kinds.count))]
            let secret = Secret("s\(generator.next() % 4)")
            return .secretGiven(SecretAnswer(kind, secret, sendsInClear: generator.next() % 2 == 0))
        default: return .retryDue
        }
    }

    private func any(_ generator: inout SeededGenerator) throws -> PairingMachine.Event {
        switch generator.next() % 24 {
        case 0: return .began
        case 1: return .resolved(generator.next() % 2 == 0 ? [] : [PairingSamples.endpoint])
        case 2: return .identified(offers[Int(generator.next() % UInt64(offers.count))])
        case 3...5:
            let trusts: [PlainTrust?] = [nil, .address, .lan]
            let bots: [[BotID]?] = [nil, [], try PairingSamples.bots("b", "z").map(\.id)]
            let consent = PairingConsent(
                bots: bots[Int(generator.next() % 3)],
                plainTrust: trusts[Int(generator.next() % 3)],
                isInAdvance: generator.next() % 2 != 0
            )
            return .confirmed(consent)
        case 6...8:
            let kinds = SecretQuestion.Kind.allCases
            let kind = kinds[Int(generator.next() % UInt64(kinds.count))]
            let json = #"{"url":"ws://10.0.0.5","bootstrapToken":"boot"}"#
            let secret = generator.next() % 2 == 0 ? "x" : Base64.url.encode(Array(json.utf8))
            return .secretGiven(SecretAnswer(kind, Secret(secret), sendsInClear: generator.next() % 2 == 0))
        case 9: return .granted(PairingGrant(bots: [], tokens: []))
        case 10...13: return .refused(refusal(&generator))
        case 14: return .notReached("away")
        case 15...18: return .retryDue
        case 19: return .stored(PairingID(using: &generator))
        case 20: return .failed(PairingError(.notStored, "expected a disk, found none"))
        case 21: return generator.next() % 4 == 0 ? .cancelled : .retryDue
        default: return try expected(&generator)
        }
    }

    private func refusal(_ generator: inout SeededGenerator) -> SessionRefusal {
        let reasons = SessionRefusal.Reason.allCases
        // Mostly reasons after which the pairing goes on.
        let usual: [SessionRefusal.Reason] = [.notPaired, .tokenMissing, .tokenMismatch, .passwordMissing, .starting]
        let choice = generator.next() % 4 == 0 ? reasons : usual
        let reason = choice[Int(generator.next() % UInt64(choice.count))]
        return PairingSamples.refusal(reason, requestID: generator.next() % 8 == 0 ? "r-2" : "r-1")
    }
}
