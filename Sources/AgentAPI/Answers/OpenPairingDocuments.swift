internal import Agent
internal import DNSSD
internal import GatewayProtocol
internal import HTTPTypes
internal import Pairing
internal import Reports
internal import Scanning

/// A pairing that was begun by the agent, as it is now: its step, its question if it has one, and its end. It shows no
/// secret.
struct OpenPairingDocument: JSONReport {
    private let pairing: OpenPairing

    init(_ pairing: OpenPairing) {
        self.pairing = pairing
    }

    /// Its path.
    var path: String { "/api/v1/pair/\(pairing.id)" }

    var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "id": .string(pairing.id),
            "state": .string(pairing.step.name),
            "startedAt": .string(pairing.start.description),
            "expiresAt": .string(pairing.end.description),
            "question": .null, "offer": .null, "approval": .null, "pairing": .null, "reason": .null, "detail": .null,
        ]
        switch pairing.step {
        case .finding, .pairing(.resolving), .pairing(.asking), .pairing(.storing), .pairing(.withdrawing),
            .pairing(.cancelled):
            break
        case .fetching(let url):
            fields["question"] = question("fetch", ["url": .string(url.description)])
        case .pairing(.confirming(let offer)):
            fields["question"] = question("confirm", ["trust": JSONValue(offer.trustChoices)])
            fields["offer"] = self.offer(offer)
        case .pairing(.pairing(let offer)):
            fields["offer"] = self.offer(offer)
        case .pairing(.secretNeeded(let asked)):
            let more: [String: JSONValue] = [
                "kinds": JSONValue(asked.kinds.map(\.rawValue)),
                "message": .string(asked.message),
                "isPlain": .bool(asked.isPlain),
            ]
            fields["question"] = question("secret", more)
        case .pairing(.approvalNeeded(let approval)):
            fields["approval"] = .object([
                "request": JSONValue(approval.requestID),
                "command": JSONValue(approval.command),
                "since": .string(Timestamp(milliseconds: approval.since).description),
                "askedAgainAt": JSONValue(approval.nextRequest.map { Timestamp(milliseconds: $0).description }),
                "trouble": JSONValue(approval.trouble),
            ])
            fields["offer"] = pairing.offer.map { offer($0) } ?? .null
            fields["detail"] = .string(approval.message)
        case .pairing(.notReady(let error, _)): fields["detail"] = .string(error.message)
        case .pairing(.paired(let id)): fields["pairing"] = .string(id.description)
        case .pairing(.failed(let error)):
            fields["reason"] = .string(error.code.description)
            fields["detail"] = .string(error.message)
        }
        return fields
    }

    /// Returns the question; `null` while its answer is acted upon.
    private func question(_ kind: String, _ more: [String: JSONValue]) -> JSONValue {
        guard let number = pairing.question else { return .null }
        return .object(["number": .number(JSONNumber(number)), "kind": .string(kind)].merging(more) { $1 })
    }

    private func offer(_ offer: PairingOffer) -> JSONValue {
        .object([
            "gateway": .string(offer.gatewayID.description),
            "name": .string(offer.name),
            "dialect": .string(offer.dialect.rawValue),
            "fingerprint": JSONValue(bytes: offer.fingerprint?.bytes),
            "endpoint": .string(offer.endpoint.description),
            "leafSha256": JSONValue(offer.leaf?.description),
            "advertisedLeaves": pairing.advertisedLeaves.map { JSONValue($0.sorted()) } ?? .null,
            "certifiedHost": JSONValue(offer.certifiedHost),
            "proof": .string(offer.proof.rawValue),
            "remoteURL": JSONValue(offer.remoteURL?.description),
            "pairing": JSONValue(offer.pairing?.id.description),
            "bots": .array(
                offer.bots.map {
                    .object([
                        "id": .string($0.id.text), "name": .string($0.name), "emoji": JSONValue($0.emoji),
                    ])
                }
            ),
        ])
    }
}

extension PairingOffer {
    /// The words of which the answer has to have one as `trust`; none where the gateway proves itself.
    fileprivate var trustChoices: [String] { needsTrustQuestion ? plainChoices.map(\.rawValue) : [] }
}

/// All pairings that were begun by the agent, and those of them that have ended lately.
struct OpenPairingsDocument: JSONReport {
    private let pairings: [OpenPairing]

    init(_ agent: Agent) {
        pairings = agent.openPairings.snapshot.pairings
    }

    var fields: [String: JSONValue] { ["pairings": .array(pairings.map { OpenPairingDocument($0).json })] }
}

/// Pairing by further requests.
extension Agent {
    /// Begins a pairing.
    func beginPairing(_ body: [UInt8]) async throws -> OpenPairingDocument {
        let new = try NewPairing(body: body)
        let (store, problem) = try await radar.read { store throws(StoreError) in (store, store.keyProblem) }
        if let problem { throw APIProblem(.serviceUnavailable, problem.keySentence) }
        guard let pairing = beginPairing(new, in: store) else {
            throw APIProblem(
                .tooManyRequests,
                "expected at most \(OpenPairings.limit) pairings at the same time, found more: end one",
                headers: [.retryAfter: "60"]
            )
        }
        return OpenPairingDocument(pairing)
    }

    /// Returns a pairing as it is now.
    func openPairing(_ id: String) throws(APIProblem) -> OpenPairingDocument {
        try document(openPairings.snapshot.pairings.first { $0.id == id })
    }

    /// Replies to the question of a pairing.
    func reply(_ body: [UInt8], to id: String) throws(APIProblem) -> OpenPairingDocument {
        let reply = try PairingReply(body: body)
        let pairing: OpenPairing?
        do throws(PairingReply.Problem) {
            pairing = try openPairings.reply(reply, to: id)
        } catch {
            throw APIProblem(.conflict, error.description)
        }
        return try document(pairing)
    }

    /// Gives a pairing up.
    func cancelPairing(_ id: String) throws(APIProblem) -> OpenPairingDocument {
        try document(openPairings.cancel(id))
    }

    private func document(_ pairing: OpenPairing?) throws(APIProblem) -> OpenPairingDocument {
        guard let pairing else { throw APIProblem(.notFound, "there is no such pairing, or it has ended long ago") }
        return OpenPairingDocument(pairing)
    }
}
