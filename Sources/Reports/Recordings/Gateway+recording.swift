internal import DNSSD
package import GatewayProtocol
package import Scanning

/// Rows as they are shown: what an agent tells the views of this program, from which they show the same as from a map.
extension Gateway: RecordedObject {
    /// The row, without what only sessions need to know of it.
    package var recording: JSONValue {
        JSONValue(recording: [
            "id": id, "name": name, "services": discoveredServices, "bots": bots, "botsLeftOut": botsLeftOut,
            "flags": flags, "isPaired": isPaired, "paths": paths, "fingerprint": fingerprint, "foundLeaf": foundLeaf,
            "otherNames": otherNames.isEmpty ? nil : otherNames,
        ])
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        try self.init(
            id: fields.value("id"),
            fingerprint: fields.optional("fingerprint"),
            name: fields.value("name"),
            services: fields.value("services"),
            bots: fields.value("bots"),
            botsLeftOut: fields.value("botsLeftOut"),
            flags: fields.value("flags"),
            isPaired: fields.value("isPaired"),
            foundLeaf: fields.optional("foundLeaf"),
            otherNames: fields.optional("otherNames") ?? [],
            paths: fields.value("paths")
        )
    }
}

extension GatewayPath: RecordedObject {
    var recording: JSONValue {
        JSONValue(recording: [
            "endpoint": endpoint, "reach": reach, "isManual": isManual, "proof": proof, "isFlooding": isFlooding,
            "contradicts": contradicts, "isHearsay": isHearsay, "isElsewhere": isElsewhere, "leads": leads,
            "outcome": outcome, "liveness": liveness, "roundTrip": roundTrip, "waiting": waiting, "silence": silence,
            "readiness": readiness, "source": source,
        ])
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        try self.init(
            endpoint: fields.value("endpoint"),
            reach: fields.value("reach"),
            isManual: fields.value("isManual"),
            outcome: fields.optional("outcome"),
            proof: fields.value("proof"),
            liveness: fields.optional("liveness"),
            roundTrip: fields.optional("roundTrip"),
            waiting: fields.optional("waiting"),
            isFlooding: fields.value("isFlooding"),
            contradicts: fields.value("contradicts"),
            isHearsay: fields.value("isHearsay"),
            isElsewhere: fields.value("isElsewhere"),
            silence: fields.optional("silence"),
            readiness: fields.optional("readiness"),
            leads: fields.value("leads"),
            source: fields.optional("source")
        )
    }
}

extension Bot: RecordedObject {
    var recording: JSONValue {
        JSONValue(recording: [
            "id": id, "name": name, "state": state, "isPaired": isPaired, "emoji": emoji, "status": status,
        ])
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        try self.init(
            id: fields.value("id"),
            name: fields.value("name"),
            emoji: fields.optional("emoji"),
            status: fields.optional("status"),
            state: fields.value("state"),
            isPaired: fields.value("isPaired")
        )
    }
}
