internal import Agent
internal import GatewayProtocol
internal import HTTPTypes
internal import Pairing
internal import Reports

/// The body of a request to trust another certificate of a gateway, or another place of one without TLS.
struct TrustRequest: Hashable, Sendable {
    /// The thing that is trusted from now on.
    enum Trusted: Hashable, Sendable {
        /// The certificate with these digits, which the gateway has to show.
        case leaf(LeafFingerprint)

        /// The gateway without TLS in this way, at an address at which it answers now.
        case place(PlainTrust, String)
    }

    let pairing: PairingID
    let trusted: Trusted

    /// The trust as the user was shown it; `nil` for that of now.
    let shown: TrustReport?

    /// Reads a body.
    init(_ body: [UInt8]) throws(APIProblem) {
        let members = try JSONMembers(
            body,
            ["pairing", "leaf", "trust", "address", "shown"],
            such: #"{"pairing": "…", "trust": "address", "address": "192.168.1.60:3000"}"#
        )
        pairing = try members.neededPairing()
        shown = try members.member("shown", "the trust of the pairing, as GET /api/v1/pairings shows it") { value in
            TrustReport(shown: value)
        }
        let leaf = try members.leaf()
        let trust = try members.plainTrust()
        let address = try members.member("address", "the address at which it answers, as it is shown") { value in
            value.string.flatMap { (1...512).contains($0.utf8.count) ? $0 : nil }
        }
        switch (leaf, trust, address) {
        case (let leaf?, nil, nil): trusted = .leaf(leaf)
        case (nil, let trust?, let address?): trusted = .place(trust, address)
        case (nil, nil, nil): throw APIProblem(.badRequest, "leaf: expected the digits that its host shows, found none")
        // Nobody trusts what nobody was shown.
        default: throw APIProblem(.badRequest, "expected leaf alone, or trust and address together")
        }
    }

    /// Has an agent trust it.
    func answer(by radar: InProcessRadar) async throws(RadarError) -> PairingDocument {
        switch trusted {
        case .leaf(let leaf): try await radar.trust(leaf, in: pairing, shown: shown)
        case .place(let extent, let address): try await radar.trust(extent, at: address, in: pairing, shown: shown)
        }
    }
}

extension JSONMembers {
    /// The way to trust a gateway without TLS.
    func plainTrust() throws(APIProblem) -> PlainTrust? {
        try member("trust", "address, lan, tailnet or tunnel") { $0.string.flatMap(PlainTrust.init) }
    }
}
