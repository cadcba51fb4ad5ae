internal import DNSSD
package import GatewayProtocol
internal import Pairing

/// A diagnosis as outsiders read it.
package struct DiagnosisReport: ReadableReport, Hashable {
    /// The word for a shell that means the gateway; `nil` if there is none.
    package let word: String?

    /// The causes; none if the gateway can be used.
    package let findings: [Finding]

    /// The state of its pairing, and the number of that; `nil` if it is not paired.
    package let state: String?
    private let pairing: String?

    package let places: [PlaceReport]
    package let notes: [String]

    /// The command that comes next for a gateway that can be used; `nil` if there is none.
    package let next: String?

    package init(_ diagnosis: Diagnosis) {
        let facts = diagnosis.facts
        word = facts.word
        findings = diagnosis.findings
        state = facts.pairing?.state.rawValue
        pairing = facts.pairing?.pairing.id.description
        places = facts.places.map(PlaceReport.init)
        notes = diagnosis.notes
        next = diagnosis.next
    }

    /// Reads a report.
    package init(_ document: JSONValue) throws(RecordingProblem) {
        let fields = try RecordedFields(document, of: "the document")
        word = try fields.optional("gateway")
        findings = try fields.value("findings")
        state = try fields.optional("state")
        pairing = try fields.optional("pairing")
        places = try fields.value("places")
        notes = try fields.value("notes")
        next = try fields.optional("next")
    }

    package var fields: [String: JSONValue] {
        [
            "gateway": JSONValue(word),
            "healthy": .bool(findings.isEmpty),
            "findings": .array(findings.map(\.json)),
            "state": JSONValue(state),
            "pairing": JSONValue(pairing),
            "places": .array(places.map(\.json)),
            "notes": JSONValue(notes),
            "next": JSONValue(next),
        ]
        .with(.formerState, words: FormerWords.ofGateways)
    }
}

/// A place of a gateway as outsiders read it.
package struct PlaceReport: JSONReport, Hashable {
    package let endpoint: String

    /// The sources from which it is known, sorted.
    package let sources: [String]

    /// Indicates whether the gateway answers there.
    package let isAlive: Bool

    private let answer: String

    /// Indicates whether it has TLS, and the time of its answer; `nil` where it has not answered.
    package let isTLS: Bool?
    package let roundTrip: Duration?

    init(_ place: PlaceFacts) {
        endpoint = place.endpoint.description
        sources = place.sources.map(\.rawValue).sorted()
        isAlive = place.isAlive
        answer = place.answer.text
        if case .gateway(_, let hasTLS, let time) = place.answer {
            (isTLS, roundTrip) = (hasTLS, time)
        } else {
            (isTLS, roundTrip) = (nil, nil)
        }
    }

    package var fields: [String: JSONValue] {
        [
            "endpoint": .string(endpoint),
            "sources": JSONValue(sources),
            "answers": .bool(isAlive),
            "answer": .string(answer),
            "tls": isTLS.map(JSONValue.bool) ?? .null,
            "roundTripMs": JSONValue(milliseconds: roundTrip),
        ]
    }
}

extension PlaceReport: RecordedObject {
    var recording: JSONValue { json }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        endpoint = try fields.value("endpoint")
        sources = try fields.value("sources")
        isAlive = try fields.value("answers")
        answer = try fields.value("answer")
        isTLS = try fields.optional("tls")
        if case .number(let number)? = fields["roundTripMs"], let time = number.double, (0...1e9).contains(time) {
            roundTrip = .microseconds(Int((time * 1_000).rounded()))
        } else {
            roundTrip = nil
        }
    }
}

extension Finding: RecordedObject {
    var recording: JSONValue { json }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        self.init(
            try fields.value("cause"),
            try fields.value("sentence"),
            try fields.value("command"),
            on: try fields.value("typedOn")
        )
    }
}

extension Cause: RecordedText {}
extension Finding.Host: RecordedText {}
