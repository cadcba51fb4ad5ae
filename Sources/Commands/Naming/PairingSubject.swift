internal import ArgumentParser
internal import Constellation
internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import GatewayReports
internal import Pairing
internal import Scanning

/// The thing that somebody wants to pair with, as typed: a link, an address, or the name of a gateway or bot that is here.
enum PairingSubject: Hashable, Sendable {
    case link(PairingLink)
    case address(ProbeAddress)
    case name(String)

    /// Reads what was typed. The problem quotes nothing of it: a link has a secret in it.
    init(_ text: String) throws(ArgumentProblem) {
        guard text.lowercased().hasPrefix("optaplus:") else {
            switch try ProbeSubject(text) {
            case .address(let address): self = .address(address)
            case .name(let name): self = .name(name)
            }
            return
        }
        do throws(PairingLink.Trouble) {
            self = .link(try PairingLink(parsing: text))
        } catch {
            throw ArgumentProblem("The link cannot be used: \(error).")
        }
    }

    /// A gateway, or one of its bots, that a name means.
    struct Match: Hashable, Sendable {
        let gateway: GatewayID
        let bot: BotID?
    }

    /// The gateways that have answered and their bots, by all that they can be called.
    static func nameables(_ rows: [Gateway]) -> [Nameable<Match>] {
        let gateways = rows.filter { $0.paths.contains { $0.outcome?.identity != nil } }
        let ofGateways = gateways.map { row in
            let addresses = row.paths.flatMap { [$0.endpoint.description, $0.endpoint.address.description] }
            let others = [row.id.description, row.fingerprint?.text].compactMap(\.self) + row.services.map(\.name)
            return Nameable(
                subject: Match(gateway: row.id, bot: nil),
                names: [row.name] + others + addresses,
                label: "gateway \(place(row))"
            )
        }
        let ofBots = gateways.flatMap { row in
            row.bots.map { bot in
                Nameable(
                    subject: Match(gateway: row.id, bot: bot.id.bot),
                    names: [bot.name, bot.id.bot.text],
                    label: "bot “\(DisplayText(bot.name, limit: 64))” of \(place(row))"
                )
            }
        }
        return ofGateways + ofBots
    }

    /// The one thing that a name means.
    ///
    /// - Parameters:
    ///   - name: The name that was typed.
    ///   - things: The gateways and bots that are here; one of them fits.
    ///   - isConfirmed: Whether the user has agreed in advance, and sees nothing of it before it is paired with. Then the beginning of a
    ///     name will not do: anybody can have a name that begins so.
    static func match(
        _ name: String,
        among things: [Nameable<Match>],
        isConfirmed: Bool
    ) throws(CommandFailure) -> Match {
        let shown = "“\(DisplayText(name, limit: 64))”"
        let match = try NameSearch.one(name, among: things, absence: "nothing is called \(shown).")
        guard isConfirmed, NameSearch.wholeMatches(name, among: things).isEmpty else { return match }
        let label = things.first { $0.subject == match }?.label ?? shown
        throw CommandFailure(
            .usage,
            "\(shown) is the beginning of \(label). Give all of the name: with --yes nobody sees whom it means."
        )
    }

    /// The target of a link, and the address outside of this network that it names and that is left out: a token would go there, too,
    /// and where nobody is asked nobody has seen it.
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

    /// The target of an address. A `wss://` host outside of this network is known by a certificate for its name.
    static func target(_ address: ProbeAddress, addresses: [IPAddress]) -> PairingTarget {
        let place: PairingTarget.Place
        let isRemote =
            address.transports == .tlsOnly && IPAddress(address.host) == nil && !addresses.isEmpty
            && !addresses.contains { $0.isLoopback || $0.isLocalNetwork }
        if isRemote, let url = GatewayURL("wss://\(address)\(address.resource)") {
            place = .remote(url)
        } else {
            place = .endpoints(addresses.map { Endpoint(address: $0, port: address.port) })
        }
        return PairingTarget(
            place: place,
            resource: address.resource,
            dialect: address.dialect,
            // Who speaks both is paired with where nobody can listen.
            transports: address.transports == .plainFirst ? .tlsFirst : address.transports
        )
    }

    private static func place(_ row: Gateway) -> String {
        "“\(DisplayText(row.name, limit: 64))”" + (row.paths.first.map { " at \($0.endpoint)" } ?? "")
    }
}
