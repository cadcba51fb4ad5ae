internal import Agent
internal import DNSSD
internal import GatewayProtocol
internal import HTTPTypes
internal import Pairing
internal import Reports

/// The body of a request to trust another certificate of a gateway, or another place of one without TLS.
struct TrustRequest: Hashable, Sendable {
    let pairing: PairingID
    let trusted: NewTrust

    /// The trust as the user was shown it; `nil` for that of now.
    let shown: TrustReport?

    /// Reads a body.
    init(_ body: [UInt8]) throws(APIProblem) {
        let members = try JSONMembers(
            body,
            ["pairing", "leaf", "trust", "address", "unseen", "shown"],
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
        let isUnseen = try members.flag("unseen")
        guard isUnseen == nil || leaf != nil else {
            throw APIProblem(.badRequest, "unseen: expected it together with leaf, found no leaf")
        }
        let unseen = isUnseen ?? false
        let place = address.flatMap(Endpoint.init(numeric:))
        switch (leaf, trust, address) {
        case (let leaf?, nil, nil): trusted = .leaf(leaf, unseen: unseen)
        case (let leaf?, nil, _) where place != nil: trusted = .leaf(leaf, at: place, unseen: unseen)
        case (nil, let trust?, let address?): trusted = .place(trust, address)
        case (nil, nil, nil): throw APIProblem(.badRequest, "leaf: expected the digits that its host shows, found none")
        // Nobody trusts what nobody was shown.
        default: throw APIProblem(.badRequest, "expected leaf, alone or with IP:PORT as address, or trust and address")
        }
    }
}

extension JSONMembers {
    /// The way to trust a gateway without TLS.
    func plainTrust() throws(APIProblem) -> PlainTrust? {
        try member("trust", "address, lan, tailnet or tunnel") { $0.string.flatMap(PlainTrust.init) }
    }
}
