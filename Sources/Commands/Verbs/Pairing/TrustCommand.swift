internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// `clawradar trust`: consents to a new certificate of a paired gateway, or to the new place of one without TLS.
struct TrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Accepts the new certificate of a paired gateway, or the new address of one without TLS.",
        usage: "clawradar trust <name> [<options>]",
        discussion: """
            A paired gateway that shows another certificate is sent no token, because it may be another host. The \
            digits of both are shown: compare the new ones with those that the gateway's own host shows, and confirm, \
            or give them with --certificate. Digits that nobody shows where it was, or at --address, are not accepted without \
            a question. It goes by the fingerprint that it tells with them from now on.

            A gateway without TLS proves nothing. If it has another address, or the network is another one, --trust \
            address accepts its present address and network, and --trust lan any address on this network. Over a \
            tailnet or a WireGuard interface, it is --trust tailnet or --trust tunnel. It is \
            looked for until --timeout, and shown before it is trusted; --address gives the address in advance.

            A gateway that `clawradar migrate` has imported awaits trust: it is asked who it is, and shown before you \
            confirm. --certificate, or --trust with --address, confirms in advance.

            EXAMPLES:
              clawradar trust "Home Gateway" --certificate 5f0c…
              clawradar trust "Old Pad" --trust address
              clawradar trust "Old Pad" --trust address --address 192.168.1.60:3000

            Exit status: 0; 1 if nothing has this name or it is not on the network, 64 if the command line is \
            invalid, 69 if the store or the network cannot be used, 130 if it was cancelled.
            """
    )

    @OptionGroup var subject: PairedNameArgument

    @Option(
        name: [.customLong("certificate"), .customLong("leaf")],
        help: ArgumentHelp("The SHA-256 of its new certificate, 64 hexadecimal digits.", valueName: "digits"),
        transform: { try LeafDigits($0) }
    )
    var leaf: LeafDigits?

    @Option(
        help: ArgumentHelp(
            "The trust in a gateway without TLS: at its present address, or anywhere on this network (lan); over a tailnet or a WireGuard interface, tailnet or tunnel.",
            valueName: "extent"
        )
    )
    var trust: PlainTrust?

    @Option(
        help: ArgumentHelp(
            "The numeric address to trust, if several claim to be this gateway or there is no terminal to ask on; or where it shows its new certificate.",
            valueName: "ip:port"
        )
    )
    var address: String?

    @Option(
        help: .time("The maximum time to look for it", default: "5"),
        transform: { try TimeLimit($0) }
    )
    var timeout = TimeLimit(seconds: 5)

    @OptionGroup var format: ReportFormatOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if leaf != nil, trust != nil { throw ValidationError("Give --certificate or --trust, not both.") }
        if trust == nil, common.backend != .auto {
            throw ValidationError("--backend is for --trust: for a certificate, nothing is looked for.")
        }
        guard let address else { return }
        guard trust != nil || leaf != nil else { throw ValidationError("--address is for --trust and --certificate.") }
        guard Self.isPlace(address) else {
            throw ValidationError(
                "--address is a numeric address, with its port: 192.168.1.60:3000 or [fe80::1%eth0]:3000."
            )
        }
    }

    /// The place that the user gave; `nil` without one.
    var place: Endpoint? { address.flatMap(Endpoint.init(numeric:)) }

    func run() async throws {
        let radar = try StoreAccess.radar(nil, common.logger)
        let pairing = try subject.name.pairing(among: try await radar.pairings())
        guard !pairing.awaitsTrust else {
            guard common.backend == .auto else {
                throw CommandFailure(
                    .usage,
                    "\(pairing.label) awaits trust, and is asked at its stored address: without --backend."
                )
            }
            return try await settle(pairing, radar)
        }
        let consent =
            if let trust {
                try await self.consent(pairing, trust)
            } else {
                try await accept(leaf?.leaf, of: pairing, radar)
            }
        let (new, change) = consent
        let carrier = AgentOption.radar(else: radar, asksAgent: asksAgent(if: common.isUsual))
        let changed =
            carrier is AgentRadar
            ? try await carrier.trust(new, in: pairing.id, shown: TrustReport(pairing.trust))
            : try await radar.accept(change, for: pairing)
        try format.write("\(pairing.label)\(change.text)", changed)
    }

    /// Indicates whether an agent is asked. It looks by itself for a gateway without TLS, and not where somebody has typed that
    /// one is: what only this command has found is none to it.
    ///
    /// - Parameter isUsual: Indicates whether an agent looks for the same, and in the same way.
    func asksAgent(if isUsual: Bool) -> Bool { trust == nil || address == nil && isUsual }

    // MARK: Of a gateway that awaits it

    private func settle(_ pairing: StoredPairing, _ radar: InProcessRadar) async throws {
        let awaited = AwaitedTrust(coordinator: try radar.coordinator)
        let offer = try await awaited.look(at: pairing, leaf: leaf?.leaf, within: timeout)
        try InProcessRadar.check(offer, trust, at: address)
        let extent = trust ?? .address
        if leaf == nil, address == nil {
            guard TerminalDialogue.isPossible else {
                let options =
                    offer.isPlain
                    ? "--trust \(extent.rawValue) --address \(offer.endpoint)" : "--certificate with its digits"
                throw CommandFailure(.usage, "there is no terminal to ask on. Give \(options).")
            }
            guard try await AwaitedTrust.confirm(offer, for: pairing, plainTrust: extent) else {
                throw CommandFailure(.cancelled, "nothing was changed.")
            }
        }
        let carrier = AgentOption.radar(else: radar)
        let document =
            if carrier is AgentRadar, let new = offer.newTrust(extent) {
                try await carrier.trust(new, in: pairing.id, shown: TrustReport(pairing.trust))
            } else {
                try await radar.accept(offer, extent, for: pairing)
            }
        let result = try await radar.pairing(pairing.id)
        try format.write("\(result.label): \(TrustText.sentence(result.trust))", document)
    }

    // MARK: Without TLS

    private func consent(_ pairing: StoredPairing, _ extent: PlainTrust) async throws -> (NewTrust, TrustChange) {
        try InProcessRadar.checkThatPlaceDecides(pairing)
        guard address != nil || TerminalDialogue.isPossible else {
            let message = "there is no terminal to ask on. Give the place that is to be trusted: --address IP:PORT."
            throw CommandFailure(.usage, message)
        }
        let endpoint = try await place(of: pairing)
        let change = try await InProcessRadar.change(to: extent, at: endpoint, of: pairing)
        let new = NewTrust.place(extent, "\(endpoint)")
        guard address == nil else { return (new, change) }
        Notes.write("\(pairing.label)\(change.text)\n")
        guard try await TerminalDialogue.confirm("Trust it there?") else {
            throw CommandFailure(.cancelled, "nothing was changed.")
        }
        return (new, change)
    }

    /// Looks for the one endpoint at which something without TLS claims to be this gateway.
    private func place(of pairing: StoredPairing) async throws -> Endpoint {
        // Nothing else may lead to where it is now.
        let configured = await ManualGateways(try GatewayOption.configured(), within: timeout.duration / 2)
        let manual =
            (pairing.endpoints + (place.map { [$0] } ?? [])).map {
                ManualGateway(endpoints: [$0], expected: pairing.dialect)
            } + configured.gateways
        let scanner = try common.makeScanner(
            ScannerConfiguration(manualGateways: manual, watches: false),
            logger: common.logger
        )
        let search = GatewaySearch(scanner: scanner, timeout: timeout.duration)
        let result = try await search.run(for: pairing.label) { [address] rows in
            // Only a given address ends the search early. Otherwise others may still claim to be this gateway.
            address.map { !pairing.plainPlaces(in: rows, at: $0).isEmpty } ?? false
        }
        let places = pairing.plainPlaces(in: result.rows, at: address)
        guard let place = places.first else {
            throw result.failure("\(pairing.label) is not here, or not without TLS.", timeout: timeout)
        }
        guard places.count == 1 else {
            let list = places.prefix(8).map(\.description).joined(separator: ", ")
            throw CommandFailure(.usage, "several say that they are \(pairing.label): \(list). Choose with --address.")
        }
        return place
    }

    /// Indicates whether a text is a numeric address, with or without a port, and with a port perhaps with a path,
    /// and with the host name by which it is asked.
    static func isPlace(_ text: String) -> Bool {
        IPAddress(text) != nil || !text.contains("://") && Endpoint(numeric: text) != nil
    }
}

extension PairingOffer {
    /// Returns what is trusted where the user trusts this gateway as it was shown; `nil` if its certificate is not known.
    fileprivate func newTrust(_ extent: PlainTrust) -> NewTrust? {
        isPlain ? .place(extent, "\(endpoint)") : leaf.map { .leaf($0) }
    }
}

/// The digits of a certificate's hash, as typed: in either case, with colons or without.
struct LeafDigits: Hashable, Sendable {
    let leaf: LeafFingerprint

    init(_ text: String) throws(ArgumentProblem) {
        guard let leaf = LeafFingerprint(text.filter { $0 != ":" }) else {
            throw ArgumentProblem("The SHA-256 of a certificate has 64 hexadecimal digits.")
        }
        self.leaf = leaf
    }
}
