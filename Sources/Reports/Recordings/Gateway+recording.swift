package import Constellation
internal import DNSSD
package import GatewayProtocol

/// Rows as they are shown: what an agent tells the views of this program, from which they show the same as from a map.
extension Gateway {
    /// The row, without what only sessions need to know of it.
    package var recording: JSONValue {
        var fields: [String: JSONValue] = [
            "id": id.recording,
            "name": JSONValue(recording: name),
            "services": JSONValue(recording: discoveredServices.lazy.map(\.recording)),
            "bots": JSONValue(recording: bots.lazy.map(\.recording)),
            "botsLeftOut": JSONValue(botsLeftOut),
            "flags": JSONValue(flags.sorted().map(\.rawValue)),
            "isPaired": .bool(isPaired),
            "paths": JSONValue(recording: paths.lazy.map(\.recording)),
        ]
        fields["fingerprint"] = fingerprint.map { JSONValue(bytes: $0.bytes) }
        fields["foundLeaf"] = foundLeaf.map { .string($0.description) }
        if !otherNames.isEmpty {
            fields["otherNames"] = JSONValue(recording: otherNames.map { JSONValue(recording: $0) })
        }
        return .object(fields)
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        self.init(
            id: try GatewayID(recording: try fields.fields("id")),
            fingerprint: fields["fingerprint"] == nil ? nil : try fields.fingerprint("fingerprint"),
            name: try fields.text("name"),
            services: try fields.objects("services", DiscoveredService.init(recording:)),
            bots: try fields.objects("bots", Bot.init(recording:)),
            botsLeftOut: try fields.int("botsLeftOut", in: 0...Int.max),
            flags: try fields.words("flags", GatewayFlag.self),
            isPaired: try fields.bool("isPaired"),
            foundLeaf: try fields.optionalLeaf("foundLeaf"),
            otherNames: fields["otherNames"] == nil ? [] : try fields.texts("otherNames"),
            paths: try fields.objects("paths", GatewayPath.init(recording:))
        )
    }
}

extension GatewayPath {
    var recording: JSONValue {
        var fields: [String: JSONValue] = [
            "endpoint": endpoint.recording,
            "reach": .string(reach.rawValue),
            "isManual": .bool(isManual),
            "proof": .string(proof.recording),
            "isFlooding": .bool(isFlooding),
            "contradicts": .bool(contradicts),
            "isHearsay": .bool(isHearsay),
            "isElsewhere": .bool(isElsewhere),
            "leads": .bool(leads),
        ]
        fields["outcome"] = outcome?.recording
        fields["liveness"] = liveness.map { .string($0.rawValue) }
        fields["roundTrip"] = roundTrip.map { JSONValue(recording: $0) }
        fields["waiting"] = waiting.map { .string($0.rawValue) }
        fields["silence"] = silence?.recording
        fields["readiness"] = readiness?.recording
        return .object(fields)
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        self.init(
            endpoint: try Endpoint(recording: try fields.fields("endpoint")),
            reach: try fields.rawValue("reach", Reach.self),
            isManual: try fields.bool("isManual"),
            outcome: fields["outcome"] == nil ? nil : try ProbeOutcome(recording: try fields.fields("outcome")),
            proof: try GatewayProof(recording: try fields.text("proof"), of: fields),
            liveness: fields["liveness"] == nil ? nil : try fields.rawValue("liveness", Liveness.self),
            roundTrip: fields["roundTrip"] == nil ? nil : try fields.duration("roundTrip"),
            waiting: fields["waiting"] == nil ? nil : try fields.rawValue("waiting", WaitingReason.self),
            isFlooding: try fields.bool("isFlooding"),
            contradicts: try fields.bool("contradicts"),
            isHearsay: try fields.bool("isHearsay"),
            isElsewhere: try fields.bool("isElsewhere"),
            silence: fields["silence"] == nil ? nil : try NoAnswer(recording: try fields.fields("silence")),
            readiness: fields["readiness"] == nil ? nil : try Readiness(recording: try fields.fields("readiness")),
            leads: try fields.bool("leads")
        )
    }
}

extension Bot {
    var recording: JSONValue {
        var fields: [String: JSONValue] = [
            "id": id.recording, "name": JSONValue(recording: name), "state": .string(state.rawValue),
            "isPaired": .bool(isPaired),
        ]
        fields["emoji"] = emoji.map { JSONValue(recording: $0) }
        fields["status"] = status.map { JSONValue(recording: $0) }
        return .object(fields)
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        self.init(
            id: try BotKey(recording: try fields.fields("id")),
            name: try fields.text("name"),
            emoji: try fields.optionalText("emoji"),
            status: try fields.optionalText("status"),
            state: try fields.rawValue("state", BotState.self),
            isPaired: try fields.bool("isPaired")
        )
    }
}

extension RecordedFields {
    /// Returns the objects of a list.
    func objects<Value>(
        _ key: String,
        _ read: (RecordedFields) throws(RecordingProblem) -> Value
    ) throws(RecordingProblem) -> [Value] {
        try Self.objects(try list(key), of: "“\(key)”", read)
    }

    /// Returns the objects of a list.
    static func objects<Value>(
        _ list: [JSONValue],
        of subject: String,
        _ read: (RecordedFields) throws(RecordingProblem) -> Value
    ) throws(RecordingProblem) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(list.count)
        for value in list { values.append(try read(RecordedFields(value, of: "an entry of \(subject)"))) }
        return values
    }

    /// Returns the texts of a list.
    func texts(_ key: String) throws(RecordingProblem) -> [String] {
        var texts: [String] = []
        for value in try list(key) {
            guard let text = value.string, text.utf8.count <= Self.textLimit else {
                throw problem(at: key, expected: "a list of texts of at most \(Self.textLimit) bytes")
            }
            texts.append(text)
        }
        return texts
    }

    /// Returns the words of a list.
    func words<Word: RawRepresentable<String> & Hashable>(
        _ key: String,
        _: Word.Type
    ) throws(RecordingProblem) -> Set<Word> {
        var words: Set<Word> = []
        for value in try list(key) {
            guard let word = value.string.flatMap(Word.init) else {
                throw problem(at: key, expected: "a list of words that this version knows")
            }
            words.insert(word)
        }
        return words
    }
}
