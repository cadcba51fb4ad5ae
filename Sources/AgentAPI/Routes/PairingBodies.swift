internal import Agent
internal import GatewayProtocol
internal import HTTPTypes
internal import Pairing
internal import Scanning

extension NewPairing {
    /// Reads the body of the request that begins a pairing.
    init(body: [UInt8]) throws(APIProblem) {
        let members = try JSONMembers(
            body,
            ["gateway", "address", "invitation", "leaf", "remote", "asAdmin", "name", "bots"],
            such: #"{"address": "192.168.1.50:3000"}"#
        )
        let row = try members.member("gateway", "the identifier of a gateway", \.string).map(Gateway.row)
        let address = try members.member("address", "HOST:PORT or a URL") { value in
            value.string.flatMap { try? ProbeAddress($0) }.map(Gateway.address)
        }
        let invitation = try members.member("invitation", "a link, a setup code or a join URL") { value in
            value.string.flatMap { try? PairingInvitation(parsing: $0) }.map(Gateway.invitation)
        }
        let given = [row, address, invitation].compactMap(\.self)
        guard given.count == 1, let gateway = given.first else {
            throw APIProblem(.badRequest, "expected one of gateway, address and invitation, found \(given.count)")
        }
        self.init(gateway)
        leaf = try members.leaf()
        remote = try members.member("remote", "an address such as wss://bot.example.org/") { value in
            value.string.flatMap { GatewayURL($0) }.flatMap { $0.isSecure ? $0 : nil }
        }
        isAdmin = try members.flag("asAdmin") ?? false
        name = try members.member("name", "1 to 255 bytes") { value in
            value.string.flatMap { (1...255).contains($0.utf8.count) ? $0 : nil }
        }
        bots = try members.bots()
    }
}

extension PairingReply {
    /// Reads the body of the reply to a question.
    init(body: [UInt8]) throws(APIProblem) {
        let members = try JSONMembers(
            body,
            ["question", "confirm", "trust", "leaf", "bots", "kind", "secret", "sendsInClear"],
            such: #"{"question": 1, "confirm": true}"#
        )
        self.init(question: try members.needed("question", "the number of the question", \.int))
        agrees = try members.flag("confirm")
        trust = try members.plainTrust()
        leaf = try members.leaf()
        bots = try members.bots()
        let sendsInClear = try members.flag("sendsInClear") ?? false
        let secret = try members.member("secret", "1 to 16384 bytes") { value in
            value.secret.flatMap { (1...16_384).contains($0.count) ? $0 : nil }
        }
        let kinds = SecretQuestion.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        let kind = try members.member("kind", "one of \(kinds)") { value in
            value.string.flatMap(SecretQuestion.Kind.init)
        }
        switch (kind, secret) {
        case (let kind?, let secret?): self.secret = SecretAnswer(kind, secret, sendsInClear: sendsInClear)
        case (nil, nil): break
        default: throw APIProblem(.badRequest, "expected kind and secret together, found one of them")
        }
    }
}

extension JSONMembers {
    /// The digits of a certificate.
    func leaf() throws(APIProblem) -> LeafFingerprint? {
        try member("leaf", "64 hexadecimal digits") { value in
            value.string.flatMap { LeafFingerprint($0.filter { $0 != ":" }) }
        }
    }

    /// The bots that are wanted.
    func bots() throws(APIProblem) -> [String]? {
        try member("bots", "a list of identifiers or names of bots") { value in
            guard let list = value.array, (1...DiscoverPayload.maximumBots).contains(list.count) else { return nil }
            let texts = list.compactMap(\.string).filter { (1...255).contains($0.utf8.count) }
            return texts.count == list.count ? texts : nil
        }
    }
}
