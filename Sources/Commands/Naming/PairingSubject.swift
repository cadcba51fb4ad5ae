internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// The gateway that the user wants to pair with, as typed: a link or code, an address, or the name of a gateway or bot
/// on the network.
enum PairingSubject: Hashable, Sendable {
    case invitation(PairingInvitation)
    case address(ProbeAddress)
    case name(String)

    /// Parses the text that was typed. An error never quotes a link, because a link contains a secret.
    init(_ text: String) throws(ArgumentProblem) {
        guard let invitation = try Self.invitation(text) else {
            switch try ProbeSubject(text) {
            case .address(let address): self = .address(address)
            // Secrets are at stake: where it has several gateways, which of them is meant is not guessed.
            case .host(let host): self = .name(host)
            case .name(let name): self = .name(name)
            }
            return
        }
        self = .invitation(invitation)
    }

    /// Indicates whether it is a setup code, or leads to one.
    var hasCode: Bool {
        switch self {
        case .invitation(.setupCode), .invitation(.join): true
        case .invitation(.link), .address, .name: false
        }
    }

    /// Reads a link, a setup code or a join URL; `nil` if the text is meant as none of them.
    static func invitation(_ text: String) throws(ArgumentProblem) -> PairingInvitation? {
        do throws(PairingInvitation.Problem) {
            return try PairingInvitation(parsing: text)
        } catch {
            switch error {
            case .link(let problem): throw ArgumentProblem("The link cannot be used: \(problem).")
            case .setupCode(let problem): throw ArgumentProblem("The setup code cannot be used: \(problem).")
            case .join(let problem): throw ArgumentProblem("The join URL cannot be used: \(problem).")
            }
        }
    }

    /// The gateway, or one of its bots, that a name means.
    struct Match: Hashable, Sendable {
        let gateway: GatewayID
        let bot: BotID?
    }

    /// Returns gateways and their bots with all their names.
    ///
    /// - Parameters:
    ///   - rows: The rows of the map.
    ///   - onlyAnswered: Whether only those are returned that have answered.
    ///   - known: The names that the network does not tell.
    static func nameables(
        _ rows: [Gateway],
        onlyAnswered: Bool = true,
        known: KnownNames = .none
    ) -> [Nameable<Match>] {
        let gateways = rows.filter { row in !onlyAnswered || row.paths.contains { $0.outcome?.identity != nil } }
        let ofGateways = gateways.map { row in
            Nameable(
                subject: Match(gateway: row.id, bot: nil),
                names: row.nameKeys(known),
                label: "gateway \(place(row))",
                word: row.word
            )
        }
        let ofBots = gateways.flatMap { row in
            let owner = row.nameKeys(known)
            return row.bots.map { bot -> Nameable<Match> in
                Nameable(
                    subject: Match(gateway: row.id, bot: bot.id.bot),
                    names: NameKeys(facts: [bot.id.bot.text], names: [bot.name, bot.id.bot.text]),
                    of: owner,
                    label: "bot \(DisplayText(bot.name, limit: 64).quoted) of \(place(row))",
                    word: row.word.flatMap { word in
                        BotChoice.word(for: bot.id.bot).map { "\(word) --bots=\($0)" }
                    }
                )
            }
        }
        return ofGateways + ofBots
    }

    /// Returns the one gateway or bot that a name means.
    ///
    /// - Parameters:
    ///   - name: The name that was typed.
    ///   - things: The gateways and bots on the network, of which at least one matches.
    ///   - isConfirmed: Whether the user has agreed in advance, and so does not see the gateway before pairing. Then
    ///     the beginning of a name is not enough: anybody can use a name with the same beginning.
    static func match(
        _ name: String,
        among things: [Nameable<Match>],
        isConfirmed: Bool
    ) throws(CommandFailure) -> Match {
        let shown = DisplayText(name, limit: 64).quoted
        let match = try NameSearch.one(name, among: things, absence: "nothing is called \(shown).")
        guard isConfirmed, NameSearch.wholeMatches(name, among: things).isEmpty else { return match }
        let label = things.first { $0.subject == match }?.label ?? shown
        throw CommandFailure(
            .usage,
            "\(shown) is the beginning of \(label). Give all of the name: with --yes nobody sees whom it means."
        )
    }

    /// Returns the target of a link, and the address outside of this network that is left out of it.
    ///
    /// Tokens would be sent to such an address, too. If the user has agreed in advance it is left out, because the user
    /// has not seen it.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - isConfirmed: Whether the user has agreed in advance.
    static func target(_ link: PairingLink, isConfirmed: Bool) -> (target: PairingTarget, leftOut: GatewayURL?) {
        var target = PairingTarget(link)
        if case .remote = target.place { return (target, nil) }
        guard isConfirmed, let url = target.remoteURL else { return (target, nil) }
        target.remoteURL = nil
        return (target, url)
    }

    private static func place(_ row: Gateway) -> String {
        DisplayText(row.name, limit: 64).quoted + (row.paths.first.map { " at \($0.endpoint)" } ?? "")
    }
}

extension Gateway {
    /// Returns the texts that mean the gateway.
    ///
    /// - Parameter known: The names that the network does not tell.
    func nameKeys(_ known: KnownNames) -> NameKeys {
        let pairings = known.pairings(of: self)
        let own = [name] + otherNames + [fingerprint?.text].compactMap(\.self) + services.map(\.name)
        return NameKeys(
            identifier: pairings.count == 1 ? pairings[0].id.description : nil,
            facts: [id.description]
                + paths.flatMap { path in
                    let endpoint = path.endpoint
                    return [endpoint.description, endpoint.address.description]
                        + [endpoint.serverName?.description].compactMap(\.self)
                },
            names: own + known.names(of: self)
        )
    }
}
