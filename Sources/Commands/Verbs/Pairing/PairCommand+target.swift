internal import Agent
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import HostSystem
internal import Pairing
internal import Reports
internal import Scanning

/// The gateway that `clawradar pair` is to pair with, found by what was typed, pasted or piped.
extension PairCommand {
    /// The time limit for looking for a gateway by its name.
    private static let lookTime = TimeLimit(seconds: 5)

    /// The time for looking for the name of an address.
    private static let nameTimeout = Duration.seconds(1)

    /// Returns the subject that the argument, standard input, the clipboard or a picture means.
    func subject() throws -> PairingSubject {
        if let picture { return try Self.subject(of: Picture(path: picture)) }
        let (text, source): (String, String)
        if clipboard {
            (text, source) = (try Clipboard.read(), "the clipboard")
        } else if let gateway, gateway != "-" {
            return try PairingSubject(gateway)
        } else {
            let secret = try SecretOptions.ofStandardInput()
            (text, source) = (secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }, "standard input")
        }
        do throws(ArgumentProblem) {
            if let invitation = try PairingSubject.invitation(text) { return .invitation(invitation) }
        } catch {
            throw CommandFailure(.usage, "\(source): \(error.description)")
        }
        throw CommandFailure(.usage, "\(source): expected a link or a code, found something else.")
    }

    /// Returns the subject that the QR codes of a picture mean. Others than links and codes may be beside it.
    private static func subject(of picture: Picture) throws(CommandFailure) -> PairingSubject {
        let codes = try picture.codes()
        var problem: ArgumentProblem?
        var found: [PairingInvitation] = []
        for code in codes {
            do throws(ArgumentProblem) {
                if let invitation = try PairingSubject.invitation(code) { found.append(invitation) }
            } catch {
                problem = error
            }
        }
        guard found.count <= 1 else {
            throw CommandFailure(
                .usage,
                "\(picture.path): expected one link or code in the picture, found \(found.count): cut it out."
            )
        }
        if let only = found.first { return .invitation(only) }
        let reason =
            problem?.description
            ?? (codes.isEmpty
                ? "expected a QR code in the picture, found none. A larger or sharper picture may help."
                : "expected a link or a code in the QR code, found something else.")
        throw CommandFailure(.usage, "\(picture.path): \(reason)")
    }

    /// A gateway that was found.
    struct Found {
        var target: PairingTarget

        /// The bot, if the argument is the name of one.
        var bot: BotChoice?

        /// The setup code for it.
        var code: Secret?

        /// Its row, if it was found by its name.
        var row: Gateway?
    }

    /// Finds the gateway that is meant.
    func target(
        _ subject: PairingSubject,
        _ constellation: Constellation,
        _ coordinator: PairingCoordinator
    ) async throws -> Found {
        switch subject {
        case .invitation(.join(let url)):
            try await confirmation.confirm(
                "Fetch the setup code of a gateway from this host? It can be fetched only once.",
                [url.description]
            )
            // The time that the user took for the answer does not count.
            let deadline = timeout.map { ContinuousClock.now + $0.duration }
            let code = try await Self.within(
                deadline,
                "fetched. The URL works only once, and is not fetched again: get a new one"
            ) {
                () async throws(PairingError) in try await coordinator.setupCode(behind: url)
            }
            return try await notingSpentURL(of: subject) { try await target(of: code, coordinator, deadline) }
        case .invitation(.setupCode(let code)):
            return try await target(of: code, coordinator, timeout.map { ContinuousClock.now + $0.duration })
        case .invitation(.link(let link)):
            var (target, leftOut) = PairingSubject.target(link, isConfirmed: confirmation.isGiven)
            if let leaf {
                guard target.leaf == nil || target.leaf == leaf.leaf else {
                    throw CommandFailure(
                        .usage,
                        "the link names another certificate than --certificate: nothing was sent."
                    )
                }
                target.demand(leaf.leaf)
            }
            if let leftOut, remote == nil {
                let word = ShellWord("\(leftOut)", limit: GatewayURL.maximumLength)?.description ?? "URL"
                Notes.warning(
                    "the link names \(leftOut) for outside of this network. Tokens would go there, too: it is left out, since "
                        + "--yes does not agree to it; --remote \(word) does."
                )
            }
            return Found(target: target)
        case .address(let address):
            guard let found = await HostAddresses.of(address.host, within: (timeout ?? Self.lookTime).duration)
            else {
                throw CommandFailure(.nothingFound, "no answer about the name \(address.host)")
            }
            guard !found.isEmpty else { throw CommandFailure(.nothingFound, HostAddresses.absence(of: address.host)) }
            var target = PairingTarget(address, addresses: found)
            // Gateways of OpenClaw tell no name, and an address says nothing to whoever reads it a month later.
            if target.name == nil, let first = found.first {
                target.name = await SystemResolver.name(of: first, within: Self.nameTimeout)
            }
            if let leaf { target.demand(leaf.leaf) }
            return Found(target: target)
        case .name(let name):
            return try await target(called: name, constellation)
        }
    }

    /// Runs what follows once the setup code behind a join URL was fetched. If it fails in any way, the user is told that
    /// the URL cannot be used for another attempt.
    func notingSpentURL<Value>(
        of subject: PairingSubject,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch {
            if case .invitation(.join) = subject { Notes.note("the join URL is used up: to try again, get a new one.") }
            throw error
        }
    }

    /// Finds the gateway of a setup code: the first of its addresses at which one answers.
    private func target(
        of code: SetupCode,
        _ coordinator: PairingCoordinator,
        _ deadline: ContinuousClock.Instant?
    ) async throws -> Found {
        if let leaf, let pin = code.leaf, pin != leaf.leaf {
            throw CommandFailure(.usage, "the code names another certificate than --certificate: nothing was sent.")
        }
        var target = try await Self.within(deadline, "asked: no address of the code has answered") {
            () async throws(PairingError) in try await coordinator.target(of: code)
        }
        if let leaf { target.demand(leaf.leaf) }
        return Found(target: target, code: code.text)
    }

    /// Returns the value of a closure, unless the time is up before or the user ends the command.
    ///
    /// - Parameter what: The step that was going on, for people.
    private static func within<Value: Sendable>(
        _ deadline: ContinuousClock.Instant?,
        _ what: String,
        _ body: @escaping @Sendable () async throws(PairingError) -> Value
    ) async throws(CommandFailure) -> Value {
        let result = await withTaskGroup(of: Result<Value, CommandFailure>.self) { group in
            group.addTask {
                do throws(PairingError) {
                    return .success(try await body())
                } catch {
                    return .failure(CommandFailure(error))
                }
            }
            group.addTask {
                await Signals.waitForEnd()
                return .failure(CommandFailure(.cancelled, "cancelled; nothing was paired."))
            }
            if let deadline {
                group.addTask {
                    try? await Task.sleep(until: deadline, clock: .continuous)
                    return .failure(CommandFailure(.nothingFound, "not paired: the time was up while it was \(what)."))
                }
            }
            let first = await group.next()
            group.cancelAll()
            return first
        }
        guard let result else { throw CommandFailure(.cancelled, "cancelled; nothing was paired.") }
        return try result.get()
    }

    private func target(called name: String, _ constellation: Constellation) async throws -> Found {
        let shown = DisplayText(name, limit: 64).quoted
        let lookTime = timeout.map { $0.duration < Self.lookTime.duration ? $0 : Self.lookTime } ?? Self.lookTime
        let leaf = leaf?.leaf
        let stored = KnownNames.stored(pairedAs: name)
        let isThere: @Sendable ([Gateway]) -> Bool = { rows in
            // Only a whole match ends the search early: after a gateway whose name only begins like this, the one with
            // the whole name may still answer.
            let meant = PairingSubject.rows(rows, showing: leaf)
            return !NameSearch.wholeMatches(name, among: PairingSubject.nameables(meant, known: stored)).isEmpty
        }
        let result: GatewaySearchResult
        let begin = ContinuousClock.now
        // What the agent has not decided yet is waited for by a search.
        if isUsual, let known = agent.look(), isThere(known.rows),
            leaf != nil || !PairingSubject.hasDoubt(name, among: known.rows, within: lookTime)
        {
            result = known
        } else {
            result = try await search(
                for: shown,
                name,
                stored,
                constellation,
                within: lookTime.left(since: begin),
                until: isThere
            )
        }
        let rows = PairingSubject.rows(result.rows, showing: leaf)
        let things = PairingSubject.nameables(rows, known: stored)
        guard !NameSearch.matches(name, among: things).isEmpty else {
            let others = NameSearch.matches(name, among: PairingSubject.nameables(result.rows, known: stored))
            guard others.isEmpty else {
                let message =
                    "\(others[0].label) shows another certificate than --certificate, or none: nothing was sent."
                throw CommandFailure(.nothingFound, message)
            }
            let absence =
                "no gateway called \(shown) has answered. `clawradar scan` shows what is here."
                + NameSearch.suggestion(name, among: things)
            throw result.failure(absence, timeout: lookTime)
        }
        let match = try PairingSubject.match(name, among: things, isConfirmed: confirmation.isGiven)
        guard let row = rows.first(where: { $0.id == match.gateway }), let target = PairingTarget(row, leaf: leaf)
        else {
            throw CommandFailure(.nothingFound, "\(shown) does not answer as a gateway.")
        }
        // The digits of a certificate decide between all that use the name.
        if leaf == nil, let doubt = PairingSubject.doubt(name, row, among: rows, within: lookTime) {
            guard !confirmation.isGiven else { throw CommandFailure(.nothingFound, "not paired: \(doubt)") }
            Notes.warning(doubt)
        }
        return Found(target: target, bot: match.bot.map { BotChoice(names: [$0.text]) }, row: row)
    }

    /// Looks for a gateway on the network, where the settings say that one is, where a paired one was, and at the usual ports of
    /// a host that was typed.
    private func search(
        for what: String,
        _ name: String,
        _ stored: KnownNames,
        _ constellation: Constellation,
        within time: TimeLimit,
        until isThere: @escaping @Sendable ([Gateway]) -> Bool
    ) async throws -> GatewaySearchResult {
        let typed = await ManualGateways((try? ProbeSubject(name))?.addresses ?? [], within: .seconds(1))
        let manual = await ManualGateways(try GatewayOption.configured(), within: .seconds(2))
        for problem in manual.problems { Notes.warning(problem) }
        let scanner = try common.makeScanner(
            ScannerConfiguration(
                manualGateways: typed.gateways + manual.gateways + stored.pairings.flatMap(\.manualGateways),
                watches: false
            ),
            constellation: constellation,
            logger: common.logger
        )
        return try await GatewaySearch(scanner: scanner, timeout: time.duration).run(for: what, until: isThere)
    }
}
