internal import DNSSD
package import GatewayProtocol
internal import Pairing

/// A diagnosis as outsiders read it.
extension Diagnosis: JSONReport {
    package var fields: [String: JSONValue] {
        [
            "gateway": JSONValue(facts.word),
            "healthy": .bool(isHealthy),
            "findings": .array(findings.map(\.json)),
            "state": JSONValue(facts.pairing?.state.rawValue),
            "pairing": JSONValue(facts.pairing?.pairing.id.description),
            "places": .array(facts.places.map(\.json)),
            "notes": JSONValue(notes),
            "next": JSONValue(next),
        ]
        .with(.formerState, words: FormerWords.ofGateways)
    }
}

extension PlaceFacts: JSONReport {
    package var fields: [String: JSONValue] {
        var (isTLS, roundTrip): (JSONValue, Duration?) = (.null, nil)
        if case .gateway(_, let hasTLS, let time) = answer { (isTLS, roundTrip) = (.bool(hasTLS), time) }
        return [
            "endpoint": .string(endpoint.description),
            "sources": JSONValue(sources.map(\.rawValue).sorted()),
            "answers": .bool(isAlive),
            "answer": .string(answer.text),
            "tls": isTLS,
            "roundTripMs": JSONValue(milliseconds: roundTrip),
        ]
    }
}
