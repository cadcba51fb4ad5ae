internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// The table of pairings with their bots for people; every text in it is cleaned.
enum PairingTable {
    private static let columns = [
        TextTable.Column("GATEWAY", minimum: 12),
        TextTable.Column("ID", minimum: 8),
        TextTable.Column("SPEAKS", minimum: 8, rank: 3),
        TextTable.Column("TRUST", minimum: 9),
        TextTable.Column("ADDRESS", minimum: 15, rank: 1, keepsEnd: true),
        TextTable.Column("CONNECTS", minimum: 8, rank: 2),
        TextTable.Column("LAST CONNECTED", minimum: 16, rank: 2, keepsEnd: true),
    ]

    private static let binColumns = [
        TextTable.Column("IN THE BIN", minimum: 12),
        TextTable.Column("ID", minimum: 8),
        TextTable.Column("WHY", minimum: 12, isProse: true),
        TextTable.Column("SINCE", minimum: 16, rank: 1, keepsEnd: true),
        TextTable.Column("KEPT UNTIL", minimum: 16, keepsEnd: true),
    ]

    /// The text for an unknown value.
    private static let absent = "-"

    /// Returns the table of live pairings.
    ///
    /// - Parameter width: The width of the terminal in cells; `nil` if nothing needs to be cut.
    static func text(_ pairings: [StoredPairing], width: Int?) -> String {
        guard !pairings.isEmpty else { return "" }
        let cells = pairings.map { pairing in
            [
                DisplayText(pairing.name, limit: 64).text, pairing.shortID, pairing.dialect.rawValue,
                TrustText.text(pairing.trust), address(pairing), pairing.connectsAutomatically ? "yes" : "when asked",
                pairing.lastConnected.map { TimeText.localDay(Timestamp(milliseconds: $0)) } ?? "never",
            ]
        }
        let table = TextTable(columns: columns, rows: cells).lines(width: width)
        return lines(table, pairings, width: width)
    }

    /// Returns the table of the bin.
    static func text(_ items: [BinnedPairing], width: Int?) -> String {
        guard !items.isEmpty else { return "" }
        let cells = items.map { item in
            [
                DisplayText(item.pairing.name, limit: 64).text, item.pairing.shortID, reason(item),
                TimeText.localDay(Timestamp(milliseconds: item.time)),
                TimeText.localDay(Timestamp(milliseconds: item.time + BinnedPairing.retention)),
            ]
        }
        let table = TextTable(columns: binColumns, rows: cells).lines(width: width)
        return lines(table, items.map(\.pairing), width: width, remarks: items.map(removal))
    }

    /// Returns the lines of a table, each followed by the bots of its pairing.
    private static func lines(
        _ table: [String],
        _ pairings: [StoredPairing],
        width: Int?,
        remarks: [String?] = []
    ) -> String {
        let titles = table.prefix(1)
        let rows = zip(table.dropFirst(), pairings).enumerated().flatMap { index, row -> [String] in
            let (line, pairing) = row
            let remark = remarks.indices.contains(index) ? remarks[index] : nil
            let below = [outside(pairing), elsewhere(pairing), remark].compactMap(\.self)
            return [line] + TextTable.wrapped(pairing.bots.map(bot), width: width)
                + below.flatMap { WrappedText.lines($0, width: width) }
        }
        return (titles + rows).map { $0 + "\n" }.joined()
    }

    /// Returns the words for its address that is none of an endpoint: outside of this network, or as an older configuration
    /// had it. It is not cut, because the end of a host name shows whose it is.
    private static func outside(_ pairing: StoredPairing) -> String? {
        guard let text = pairing.remoteURL else { return nil }
        let url = GatewayURL(text)
        let isLocal = url?.isSecure == false || url?.address.map { $0.isLoopback || $0.isLocalNetwork } == true
        let place = isLocal ? "address" : "outside this network"
        return "\(place): \(DisplayText(text, limit: GatewayURL.maximumLength))"
    }

    /// Returns the words for the other places at which its tokens were sent to whoever answered under its fingerprint.
    private static func elsewhere(_ pairing: StoredPairing) -> String? {
        let places = pairing.endpoints.filter(pairing.isElsewhere)
        guard !places.isEmpty else { return nil }
        let list = places.prefix(4).map(\.description).joined(separator: ", ")
        let rest = places.count > 4 ? " and \(places.count - 4) more" : ""
        return "was not where it was paired, but at: \(list)\(rest)"
    }

    private static func bot(_ bot: StoredBot) -> String {
        let emoji = bot.emoji.map { "\(DisplayText($0, limit: 2)) " } ?? ""
        return "\(emoji)\(DisplayText(bot.name, limit: 64))\(bot.isArchived ? " (archived)" : "")"
    }

    private static func address(_ pairing: StoredPairing) -> String {
        pairing.endpoints.first?.description ?? pairing.remoteURL.map { DisplayText($0, limit: 64).text } ?? absent
    }

    /// Returns the sentence with the command that removes this device at the gateway, if the device cannot do that itself.
    private static func removal(_ item: BinnedPairing) -> String? {
        guard item.reason == .unpaired(withdrawnThere: false) else { return nil }
        return item.pairing.removingCommand.map(UnpairingText.removal)
    }

    /// Returns the reason why a pairing is in the bin, in words.
    static func reason(_ item: BinnedPairing) -> String {
        switch item.reason {
        case .unpaired(withdrawnThere: true): "unpaired"
        case .unpaired(withdrawnThere: false):
            item.pairing.dialect.letsDevicesLeave ? "unpaired; not withdrawn there yet" : "unpaired here"
        case .revoked(let word): "revoked by the gateway: \(DisplayText(sentence: word))"
        case .forgotten: "forgotten"
        }
    }
}

/// The trust in a gateway, in words.
enum TrustText {
    /// Returns a word or two, for a table.
    static func text(_ trust: TrustPolicy) -> String {
        switch trust {
        case .awaited: "awaits trust"
        case .pinned: "pinned"
        case .certified(let host): "certified \(DisplayText(host, limit: 64))"
        case .sameAddress: "same address"
        case .lan: "this LAN"
        case .tailnet: "tailnet"
        case .tunnel(let tunnel): "tunnel \(DisplayText(tunnel.name, limit: 16))"
        }
    }

    /// Returns a sentence that explains the policy.
    static func sentence(_ trust: TrustPolicy) -> String {
        switch trust {
        case .awaited: "none yet: nothing is sent to it."
        case .pinned(let leaf):
            "TLS with the certificate sha256 \(leaf), at whatever address."
        case .certified(let host):
            "TLS with a certificate for \(DisplayText(host, limit: 128)) that the system trusts."
        case .sameAddress(let network):
            "no TLS: whoever has its address in the network \(text(network)) gets the token, and whoever is on the way reads it."
        case .lan(let network):
            "no TLS: whoever says it is this gateway in the network \(text(network)) gets the token."
        case .tailnet(let node):
            "no TLS: the machine of the tailnet with the key \(node) gets the token, while it has its address."
        case .tunnel(let tunnel):
            "no TLS: whoever has its address at the other end of the tunnel \(text(tunnel)) gets the token; nothing proves "
                + "who that is."
        }
    }

    private static func text(_ tunnel: NetworkTunnel) -> String {
        "\(DisplayText(tunnel.name, limit: 16)) (\(tunnel.kind.rawValue), \(tunnel.address) here)"
    }

    private static func text(_ network: HomeNetwork) -> String { "\(network.prefix)/\(network.prefixLength)" }
}
