internal import Agent
internal import ArgumentParser
internal import Console
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning
internal import Synchronization

/// The user's side of a pairing, which prints each step, and answers questions from the options or at the terminal.
final class PairingDialogue: Sendable {
    /// The answers that were given in advance.
    struct Options: Sendable {
        var bots: BotChoice?
        var isConfirmed = false
        var trust: PlainTrust?
        /// The trust that the settings name, where the network allows it.
        var usualTrust: PlainTrust?
        var secrets: [SecretQuestion.Kind: Secret] = [:]
        var sendsInClear = false
        /// The rights that this device asks for.
        var rights = DeviceRights.member
        /// The name that the user gives the pairing.
        var name: String?
        /// Returns the certificates that the advertisements of a gateway name; `nil` if it is not advertised.
        var advertised: @Sendable (GatewayID) async -> Set<String>? = { _ in nil }
    }

    private struct State {
        /// The reason why a question was not answered.
        var failure: CommandFailure?
        /// The kinds of secrets that were used: a wrong secret is not tried again.
        var used: Set<SecretQuestion.Kind> = []
        /// The progress that was printed.
        var progress = PairingProgress()
        /// The current step; `nil` before the first one.
        var step: PairingState?
        /// The gateway that was shown.
        var offer: PairingOffer?
    }

    private let options: Options
    private let state = Mutex(State())

    /// The line that counts down to the next request; `nil` where there is no terminal for it.
    private let countdown = ProgressLine()

    /// A signal for each step that begins.
    private let (steps, stepped) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(_ options: Options) {
        self.options = options
    }

    /// The reason why this side has given up the pairing; `nil` if it has not.
    var failure: CommandFailure? { state.withLock(\.failure) }

    /// The gateway that was shown; `nil` before that.
    var offer: PairingOffer? { state.withLock(\.offer) }

    /// The current step of the pairing, for people.
    var step: String { state.withLock(\.progress.step) }

    /// The sentence about the request that stays at the gateway when the pairing is given up; empty if there is none.
    var remainder: String { state.withLock(\.progress.remainder) }

    /// The kinds of secrets that were given in advance but that the gateway did not ask for.
    var unusedSecrets: [SecretQuestion.Kind] {
        let used = state.withLock(\.used)
        return SecretQuestion.Kind.allCases.filter { options.secrets[$0] != nil && !used.contains($0) }
    }

    /// Prints a step, and returns the answer if the step is a question.
    func answer(_ pairing: PairingState) async -> PairingAnswer? {
        let line = state.withLock { state in
            state.step = pairing
            countdown?.clear()
            return state.progress.take(pairing)
        }
        if let line { Notes.note(line) }
        stepped.yield()
        do throws(CommandFailure) {
            switch pairing {
            case .confirming(let offer): return .confirm(try await consent(offer))
            case .secretNeeded(let question): return .secret(try await secret(question))
            default: return nil
            }
        } catch {
            state.withLock { $0.failure = error }
            return .cancel
        }
    }

    /// Counts down on the terminal while a pairing waits for its gateway, and calls the closure when Enter is pressed,
    /// until the task is cancelled.
    func countDown(_ askAgain: @Sendable () async -> Void) async {
        guard countdown != nil, TerminalDialogue.isPossible else { return }
        for await _ in steps {
            while showCountdown(), await TerminalDialogue.enter(while: { self.showCountdown() }) { await askAgain() }
        }
    }

    /// Shows the time until the next request; returns `false` if the current step does not wait.
    private func showCountdown() -> Bool {
        state.withLock { state in
            guard let text = state.step.flatMap({ PairingText.countdown($0, at: Timestamp.now.milliseconds) }) else {
                return false
            }
            countdown?.show(text)
            return true
        }
    }

    // MARK: Consent

    private func consent(_ offer: PairingOffer) async throws(CommandFailure) -> PairingConsent {
        let advertised = await options.advertised(offer.gatewayID)
        let lines = PairingText.lines(
            offer,
            advertised: advertised,
            rights: options.rights,
            width: Notes.columns
        )
        Notes.write(lines.map { $0 + "\n" }.joined())
        // Some gateways report their bots only after pairing.
        let names = offer.bots.isEmpty ? options.bots?.names ?? [] : []
        state.withLock { $0.offer = offer }
        var consent = PairingConsent(
            bots: try bots(of: offer),
            botNames: names,
            isInAdvance: options.isConfirmed,
            secrets: Set(options.secrets.keys),
            name: options.name
        )
        if offer.needsTrustQuestion {
            // Where this network does not allow what is usual, the user is asked.
            let usual = options.usualTrust.flatMap { offer.plainChoices.contains($0) ? $0 : nil }
            if let trust = options.trust ?? usual {
                consent.plainTrust = trust
            } else {
                consent.plainTrust = try await plainTrust(of: offer)
                return consent
            }
        } else if options.trust != nil {
            Notes.warning(
                "--trust is for a gateway without TLS that is paired with for the first time: it is not used."
            )
        }
        guard !options.isConfirmed else { return consent }
        guard TerminalDialogue.isPossible else {
            throw CommandFailure(.usage, "there is no terminal to ask on. Give --yes to pair with what is shown above.")
        }
        guard try await TerminalDialogue.confirm("Pair with it?") else { throw Self.declined }
        return consent
    }

    private func plainTrust(of offer: PairingOffer) async throws(CommandFailure) -> PlainTrust {
        let choices = offer.plainChoices
        guard !options.isConfirmed, TerminalDialogue.isPossible else {
            throw CommandFailure(
                .usage,
                "it has no TLS, and --yes does not say how to trust it. Give \(choices.options)"
                    + "\(options.isConfirmed ? "" : ", and --yes")."
            )
        }
        let choice = try await TerminalDialogue.choose(
            "It has no TLS, and cannot prove who it is. Pair with it, and send its tokens to",
            choices.map { PairingText.receiver($0, of: offer) } + ["nobody"]
        )
        guard choice < choices.count else { throw Self.declined }
        return choices[choice]
    }

    private func bots(of offer: PairingOffer) throws(CommandFailure) -> [BotID]? {
        guard let choice = options.bots, let names = choice.names else { return nil }
        guard !offer.bots.isEmpty else { return names.compactMap { BotID($0) } }
        guard let ids = try choice.resolved(among: offer.bots.map { ($0.id, $0.name) }) else { return nil }
        return ids
    }

    private static let declined = CommandFailure(.cancelled, "not paired.")

    // MARK: Secrets

    private func secret(_ question: SecretQuestion) async throws(CommandFailure) -> SecretAnswer {
        func decision(_ kind: SecretQuestion.Kind) -> SecretDecision {
            question.rule.decision(for: kind, sendsInClear: options.sendsInClear)
        }
        let used = state.withLock { $0.used }
        let given = question.kinds.filter { options.secrets[$0] != nil && !used.contains($0) }
        if let kind = given.first(where: { decision($0) == .allowed }) ?? given.first,
            let secret = options.secrets[kind]
        {
            if let failure = reason(decision(kind)) { throw failure }
            state.withLock { _ = $0.used.insert(kind) }
            return SecretAnswer(kind, secret, sendsInClear: options.sendsInClear)
        }
        let kinds = question.kinds.filter { decision($0) == .allowed }
        let refused = question.kinds.first { decision($0) != .allowed }
        guard TerminalDialogue.isPossible else {
            guard used.isDisjoint(with: question.kinds) else {
                throw CommandFailure(.nothingFound, "not paired: \(question.message)")
            }
            Notes.note(question.message)
            let list = kinds.map { "\($0.option) (\($0.text))" }.joined(separator: " or ")
            let failure = list.isEmpty ? refused.flatMap { reason(decision($0)) } : nil
            throw failure ?? CommandFailure(.usage, "there is no terminal to ask on. Give \(list).")
        }
        Notes.note(question.message)
        guard let first = kinds.first else { throw refused.flatMap { reason(decision($0)) } ?? Self.declined }
        if let refused, let allows = PairingText.allowance(decision(refused), for: refused) { Notes.note(allows) }
        var kind = first
        if kinds.count > 1 {
            let choice = try await TerminalDialogue.choose("Give it", kinds.map(\.text) + ["nothing"])
            guard choice < kinds.count else { throw Self.declined }
            kind = kinds[choice]
        }
        let secret = try await TerminalDialogue.secret("\(kind.text) (not shown): ")
        guard !secret.isEmpty else { throw Self.declined }
        return SecretAnswer(kind, secret, sendsInClear: options.sendsInClear)
    }

    /// Returns the failure for a secret that may not be sent; `nil` if it may.
    private func reason(_ decision: SecretDecision) -> CommandFailure? {
        switch decision {
        case .allowed: nil
        case .inClear: Self.clearMissing
        case .unproved: CommandFailure(.unproved, offer)
        }
    }

    private static let clearMissing = CommandFailure(
        .usage,
        "it has no TLS: its token or password could be read on the way, and opens all of it. A setup code is the better "
            + "choice; --send-in-clear insists."
    )
}
