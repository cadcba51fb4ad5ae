internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// `clawradar alias`: names gateways.
struct AliasCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alias",
        abstract: "Gives a gateway a name of your own, paired or not.",
        usage: """
            clawradar alias <gateway> <name>
            clawradar alias [<name> --remove]
            """,
        discussion: """
            The name stays with the gateway, by its certificate or its fingerprint, else by its service or address. If \
            several claim to be it and none of them has proved it, none has the name. It is shown in place of the \
            gateway's own name wherever gateways are, and in messages. Without arguments, all names are listed.

            EXAMPLES:
              clawradar alias 192.168.1.20:18789 Attic
              clawradar alias "Home Gateway (OpenClaw)" Home
              clawradar alias
              clawradar alias Attic --remove

            Exit status: 0; 1 if nothing has this name or address, 64 if several things have it, or the name is that of \
            another one, 69 if the store cannot be used, 130 if it was cancelled.
            """
    )

    @Argument(
        help: "The gateway: an address, a name or an identifier; of a name to remove, the name.",
        completion: .custom(StoreAccess.completions)
    )
    var gateway: String?

    @Argument(help: "The new name, at most 255 bytes.")
    var name: String?

    @Flag(help: "Remove the name.")
    var remove = false

    @OptionGroup var options: LookOptions

    func validate() throws {
        if let name, !(1...255).contains(name.utf8.count) { throw ValidationError("A name has 1 to 255 bytes.") }
        if remove, gateway == nil || name != nil { throw ValidationError("--remove takes the name alone.") }
        if !remove, gateway != nil, name == nil { throw ValidationError("Give the gateway and its new name.") }
    }

    func run() async throws {
        guard let gateway else { return try list() }
        let store = try StoreAccess.open()
        let local = InProcessRadar(store, version: CommandLineTool.version)
        let known = try CommandFailure.translating { () throws(StoreError) in try store.aliases() }
        guard let name else {
            let alias = try Self.alias(called: gateway, known, pairings(in: store))
            let removed = try await AgentOption.radar(else: local).removeAlias(alias)
            return try options.format.write("\(DisplayText(alias.name, limit: 64)) is no name any more", removed)
        }
        let alias = try await alias(of: gateway, name, store, known)
        let given = try await AgentOption.radar(else: local).alias(alias)
        try options.format.write(
            "\(DisplayText(name, limit: 64)) is the name of \(Self.shown(alias, among: pairings(in: store)))",
            given
        )
    }

    // MARK: The gateway

    /// Returns the alias of the gateway that has a name: the alias itself, or another name of something paired.
    static func alias(
        called text: String,
        _ known: [GatewayAlias],
        _ pairings: [StoredPairing]
    ) throws(CommandFailure) -> GatewayAlias {
        let things = known.map(nameable)
        let named = pairings.filter { pairing in known.contains { $0.name == pairing.name } }
        let found = NameSearch.matches(text, among: PairedName.gateways(named))
        if NameSearch.matches(text, among: things).isEmpty, found.count == 1,
            let pairing = named.first(where: { $0.id == found[0].subject.pairing }),
            let alias = known.first(where: { $0.name == pairing.name })
        {
            return alias
        }
        return try NameSearch.one(text, among: things, absence: absence(text))
    }

    /// Returns the alias for what was typed: something named before, something paired, or something on the network.
    private func alias(
        of text: String,
        _ name: String,
        _ store: PairingStore,
        _ known: [GatewayAlias]
    ) async throws -> GatewayAlias {
        let pairings = try CommandFailure.translating { () throws(StoreError) in try store.pairings() }
        let isKnown = try Self.meant(text, name, known: known, pairings: pairings, rows: []) != nil
        let rows: [Gateway]
        do {
            rows = try await scan(text, store, pairings)
        } catch  where isKnown {
            // A gateway that has an alias or is paired is known without the network.
            rows = []
        }
        if let alias = try Self.meant(text, name, known: known, pairings: pairings, rows: rows) { return alias }
        let things = PairingSubject.nameables(rows).filter { $0.subject.bot == nil }
        // Two words of one name are no gateway with its new name.
        let joined = "\(text) \(name)"
        let isOneName =
            try Self.meant(joined, name, known: known, pairings: pairings, rows: rows) != nil
            || !NameSearch.matches(joined, among: things).isEmpty
        guard !isOneName else {
            throw CommandFailure(
                .usage,
                "quote a name with spaces: clawradar alias \(ShellWord(name: joined)?.description ?? "GATEWAY") NAME"
            )
        }
        if let alias = try Self.meant(text, name, known: known, pairings: pairings, rows: rows, isWhole: false) {
            return alias
        }
        if let paired = try? PairedName(text) { try paired.checkThatItIsNoBot(among: pairings) }
        let match = try NameSearch.one(
            text,
            among: things,
            absence: "no gateway is called \(DisplayText(text, limit: 64).quoted), or it does not answer. "
                + "`clawradar scan` shows what there is."
        )
        guard let row = rows.first(where: { $0.id == match.gateway }) else {
            throw CommandFailure(.ourFault, "what was found is not there")
        }
        guard let alias = GatewayAlias(row, name: name) else {
            throw CommandFailure(.nothingFound, "it is not as it was at pairing: `clawradar status` shows why.")
        }
        return alias
    }

    /// Returns the alias for the one gateway that a text means, among those that are named, paired, or there; `nil` if it means
    /// none.
    ///
    /// - Parameter isWhole: Indicates whether the beginning of a name means nothing.
    static func meant(
        _ text: String,
        _ name: String,
        known: [GatewayAlias],
        pairings: [StoredPairing],
        rows: [Gateway],
        isWhole: Bool = true
    ) throws(CommandFailure) -> GatewayAlias? {
        func matches<Subject>(_ things: [Nameable<Subject>]) -> [Nameable<Subject>] {
            isWhole ? NameSearch.wholeMatches(text, among: things) : NameSearch.matches(text, among: things)
        }
        let named = matches(known.map(nameable)).map { thing in
            Self.nameable(thing.subject.renamed(name), as: thing.label, thing.word)
        }
        let paired = matches(PairedName.gateways(pairings)).compactMap { thing in
            pairings.first { $0.id == thing.subject.pairing }.map { pairing in
                Self.nameable(GatewayAlias(pairing, name: name), as: thing.label, thing.word)
            }
        }
        let things = PairingSubject.nameables(rows).filter { $0.subject.bot == nil }
        let there = matches(things).compactMap { thing in
            rows.first { $0.id == thing.subject.gateway }.flatMap { GatewayAlias($0, name: name) }.map { alias in
                Self.nameable(alias, as: thing.label, thing.word)
            }
        }
        var found: [Nameable<GatewayAlias>] = []
        for thing in named + paired + there
        where !found.contains(where: {
            $0.subject.isForSameGateway(as: thing.subject) || $0.subject.gatewayID == thing.subject.gatewayID
        }) {
            found.append(thing)
        }
        guard found.count <= 1 else { throw NameSearch.ambiguity(text, found) }
        return found.first?.subject
    }

    private static func nameable(_ alias: GatewayAlias, as label: String, _ word: String?) -> Nameable<GatewayAlias> {
        Nameable(
            subject: alias,
            names: NameKeys(facts: [alias.gatewayID], names: [alias.name]),
            label: label,
            word: word
        )
    }

    /// Returns the addresses to ask: those of the settings, and the one that was typed, of a host without a port those of the usual
    /// ports.
    static func addresses(of text: String, besides configured: [ProbeAddress]) -> [ProbeAddress] {
        configured + ((try? ProbeSubject(text))?.addresses ?? []).filter { !configured.contains($0) }
    }

    /// Looks for gateways: on the network, at the configured addresses, and at one that was typed.
    private func scan(_ text: String, _ store: PairingStore, _ pairings: [StoredPairing]) async throws -> [Gateway] {
        let start = ContinuousClock.now
        let addresses = Self.addresses(of: text, besides: try GatewayOption.configured())
        let manual = await ManualGateways(addresses, within: options.timeout.duration / 2)
        return try await options.look(store, pairings, and: manual.gateways, since: start).0.gateways
    }

    // MARK: Output

    private static func nameable(_ alias: GatewayAlias) -> Nameable<GatewayAlias> {
        Nameable(
            subject: alias,
            names: NameKeys(facts: [alias.gatewayID], names: [alias.name]),
            label: DisplayText(alias.name, limit: 64).quoted
        )
    }

    private static func absence(_ name: String) -> String {
        "no gateway has the name \(DisplayText(name, limit: 64).quoted) from you. `clawradar alias` shows those that have one."
    }

    private func pairings(in store: PairingStore?) -> [StoredPairing] { (try? store?.pairings()) ?? [] }

    /// Returns what a gateway is called without the name that the user has given it: by its pairing, its service, its
    /// fingerprint or its address.
    static func shown(_ alias: GatewayAlias, among pairings: [StoredPairing]) -> String {
        if let pairing = pairings.first(where: { $0.gatewayID == alias.gatewayID }) {
            return "\(DisplayText(pairing.formerName ?? pairing.name, limit: 64).quoted) (\(pairing.shortID))"
        }
        return switch GatewayID(alias.gatewayID)?.form {
        case .fingerprint(let fingerprint):
            "the gateway with the fingerprint \(DisplayText("\(fingerprint)", limit: 128))"
        case .candidate(.service(let service)), .claimant(_, .service(let service)):
            "\(DisplayText(service.name, limit: 64).quoted) (\(service.type))"
        case .candidate(.endpoint(let endpoint)), .claimant(_, .endpoint(let endpoint)): "\(endpoint)"
        case nil: DisplayText(alias.gatewayID, limit: 128).text
        }
    }

    /// Returns the table of names.
    static func table(_ aliases: [GatewayAlias], among pairings: [StoredPairing], width: Int?) -> String {
        let columns = [
            TextTable.Column("NAME", minimum: 12), TextTable.Column("GATEWAY", minimum: 20, isProse: true),
        ]
        let rows = aliases.map { [DisplayText($0.name, limit: 64).text, shown($0, among: pairings)] }
        return TextTable(columns: columns, rows: rows).lines(width: width).map { "\($0)\n" }.joined()
    }

    private func list() throws {
        let store = try StoreAccess.openExisting()
        let all = try CommandFailure.translating { () throws(StoreError) in try store?.aliases() ?? [] }
        switch options.format.format {
        case .table where all.isEmpty: Notes.note("no gateway has a name from you: clawradar alias GATEWAY NAME")
        case .table:
            let output = StandardOutput()
            try output.write(Self.table(all, among: pairings(in: store), width: output.terminal?.columns))
        case .json: try StandardOutput().write(AliasesReport(all).line)
        }
    }
}
