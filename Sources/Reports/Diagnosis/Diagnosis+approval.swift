internal import GatewayProtocol
internal import Pairing

/// The causes that somebody else ends: this device waits until it is approved.
extension Diagnosis {
    /// Returns the cause if the agent has asked a gateway that answers to pair, and nobody has decided.
    static func findingOfRequest(_ facts: DiagnosisFacts) -> Finding? {
        guard let request = facts.request, !facts.ways.isEmpty else { return nil }
        return waiting(request, facts)
    }

    /// Returns the cause for a request that waits.
    static func waiting(_ request: WaitingRequest, _ facts: DiagnosisFacts) -> Finding {
        let age = age(since: request.since, facts)
        guard request.dialect != .clawline else {
            let sentence =
                "No admin of it, nor whoever runs it if it is the first, has approved this device; the request waits\(age)."
            let command = request.id.map { "clawradar approve \($0)" } ?? "clawradar approvals"
            return Finding(.approvalWaits, sentence, command, on: .admin)
        }
        let sentence = "Its operator has not approved this device; the request waits\(age)."
        // The answers of a bridge do not name the request.
        let list = request.dialect == .bridge ? "clawdbot nodes pending" : "openclaw devices list"
        return Finding(.approvalWaits, sentence, request.command ?? list, on: .gateway)
    }

    /// Returns the cause for a paired device that its gateway does not approve at present.
    static func unapproved(_ status: PairedStatus, _ connect: String) -> Finding {
        let sentence = "Its operator does not approve this device at present."
        guard status.pairing.dialect == .clawline else { return Finding(.approvalWaits, sentence, connect) }
        // Admins are told of devices that ask to pair, and this one is paired: they could approve nothing.
        let rest =
            "Its admins have no request of it: whoever runs it has to approve it again, and it is asked every 30 s."
        return Finding(.approvalWaits, "\(sentence) \(rest)", connect)
    }

    /// Returns the age of a request; empty while it is not a minute old.
    static func age(since: Int, _ facts: DiagnosisFacts) -> String {
        let minutes = max(facts.now - since, 0) / 60_000
        guard minutes > 0 else { return "" }
        return minutes < 120 ? " for \(minutes) min" : " for \(minutes / 60) h"
    }
}
