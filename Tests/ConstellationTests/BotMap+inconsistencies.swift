import DNSSD
import DequeModule
import GatewayProtocol

@testable import Scanning

extension BotMap {
    /// Returns descriptions of the places where indices of the map disagree, and of the rows that break a rule.
    func inconsistencies() -> [String] {
        inconsistentCandidates() + inconsistentEndpoints() + inconsistentRows() + inconsistentClaims()
    }

    private func inconsistentCandidates() -> [String] {
        var problems: [String] = []
        for slot in candidates.keys {
            let candidate = candidates[slot]
            for endpoint in candidate.endpoints where !endpoints[endpoint].candidates.contains(slot) {
                problems.append("\(endpoint) does not know \(slot)")
            }
            if candidate.isOwned != (owner(of: slot) != nil) { problems.append("isOwned of \(slot) is wrong") }
            if candidate.isDirty { problems.append("\(slot) is still dirty") }
            let isShown = gateways.contains { row in
                guard let service = candidate.service else {
                    return candidate.endpoints.contains { row.paths.map(\.endpoint).contains($0) }
                }
                return row.services.contains(service.instance)
            }
            let isHeld = candidate.fingerprint.map { claims[$0]?.held.contains(slot) == true } ?? false
            let isHeldWithRow = candidate.endpoints.contains { endpoint in
                endpoints[endpoint].row.map { !rows[$0].isShown } ?? false
            }
            // A row shows a limited number of addresses of its candidates that have not answered, and none of a
            // candidate that is held back.
            let isItsRowHeld = owner(of: slot).map { !rows[$0].isShown || rows[$0].gateway.paths.count >= 2 } ?? false
            if !isShown, !candidate.isLeftOut, !isHeld, !isHeldWithRow, !isItsRowHeld, !isHeldByFirst(slot) {
                let rows = candidate.endpoints.map { endpoint in
                    "\(endpoint) of \(endpoints[endpoint].row.map { "\($0)" } ?? "none")"
                }
                problems.append(
                    "\(slot) is in no row: \(rows), owner \(owner(of: slot).map { self.rows[$0] } as Any)"
                )
            }
        }
        if candidates.count > limits.candidates { problems.append("too many candidates") }
        return problems
    }

    /// Indicates whether the candidate whose row would show one of this candidate's endpoints is held back.
    private func isHeldByFirst(_ slot: GatewayCandidate) -> Bool {
        candidates[slot].endpoints.contains { endpoint in
            guard let first = firstWithoutRow(at: endpoint), let fingerprint = candidates[first].fingerprint else {
                return false
            }
            return claims[fingerprint]?.held.contains(first) == true
        }
    }

    private func inconsistentEndpoints() -> [String] {
        var problems: [String] = []
        for slot in endpoints.keys {
            let facts = endpoints[slot]
            if facts.candidates.contains(where: { !candidates[$0].endpoints.contains(slot) }) {
                problems.append("\(slot) knows a candidate that does not lead there")
            }
            if (facts.row != nil) != (facts.outcome?.identity != nil) {
                problems.append("\(slot) has a wrong row")
            }
            if let row = facts.row, !rows[row].members.contains(slot) {
                problems.append("\(slot) is not in its row")
            }
            if facts.candidates.isEmpty && !facts.isRemembered {
                problems.append("\(slot) is not queued to be forgotten")
            }
            if facts.candidates.count > limits.candidatesPerEndpoint {
                problems.append("\(slot) has too many candidates")
            }
        }
        if endpointsWithoutCandidate.count > limits.remembered { problems.append("too many endpoints are remembered") }
        return problems
    }

    private func inconsistentRows() -> [String] {
        var problems: [String] = []
        let count = records.all.values.reduce(0) { $0 + $1.count }
        if count != records.count || count > limits.pairings {
            problems.append("wrong number of bot records: \(count)")
        }
        for slot in rows.keys {
            let row = rows[slot]
            if row.isDirty { problems.append("\(slot) is still dirty") }
            if row.members.contains(where: { endpoints[$0].row != slot }) {
                problems.append("\(slot) has a member of another row")
            }
            if row.candidate == nil, row.members.isEmpty, !isPaired(slot) {
                problems.append("\(slot) has no reason to exist")
            }
            if row.instances.contains(where: { homes[$0] != slot }) {
                problems.append("\(slot) is not the home of its candidates")
            }
            guard row.isShown else { continue }
            if row.gateway.id != slot { problems.append("\(slot) is shown as \(row.gateway.id)") }
            let paths = row.gateway.paths
            if paths != paths.sorted(by: { $0.precedes($1) }) { problems.append("\(slot) has unsorted paths") }
            if Set(paths.map(\.endpoint)).count != paths.count { problems.append("\(slot) has a path twice") }
            // A path without proof never comes before one with proof, nor one that is gone before one that is not.
            // Those that say nothing of the gateway come after those that do.
            let answered = paths.filter { $0.counts && $0.outcome?.identity != nil }
            for proofs in [true, false].map({ gone in answered.filter { ($0.liveness == .gone) == gone }.map(\.proof) })
            where proofs != proofs.sorted(by: >) {
                problems.append("\(slot) has paths in the wrong order of proofs: \(proofs)")
            }
            let liveness = answered.map { $0.liveness == .gone }
            if liveness != liveness.sorted(by: { !$0 && $1 }) {
                problems.append("\(slot) has a path that is gone before one that is not")
            }
            if case .claimant = slot.form, row.gateway.isPaired { problems.append("\(slot) is paired") }
            if paths.isEmpty, row.candidate == nil, !row.gateway.isPaired { problems.append("\(slot) is empty") }
        }
        for (key, row) in homes where !rows[row].instances.contains(key) { problems.append("\(key) has a wrong home") }
        return problems
    }

    private func inconsistentClaims() -> [String] {
        var problems: [String] = []
        for (fingerprint, claim) in claims {
            if claim.isEmpty { problems.append("the claims on \(fingerprint) are empty") }
            if claim.candidates.contains(where: { candidates[$0].fingerprint != fingerprint }) {
                problems.append("a candidate that does not advertise \(fingerprint) claims it")
            }
            if claim.rows.contains(where: { rows[$0].fingerprint != fingerprint }) {
                problems.append("a row with another fingerprint than \(fingerprint) claims it")
            }
        }
        for slot in rows.keys {
            guard let fingerprint = rows[slot].fingerprint else { continue }
            if claims[fingerprint]?.rows.contains(slot) != true {
                problems.append("\(slot) does not claim its fingerprint")
            }
        }
        for (leaf, holders) in leaves {
            for row in holders
            where !rows[row].members.contains(where: { endpoints[$0].outcome?.identity?.leaf == leaf }) {
                problems.append("no member of \(row) shows \(leaf)")
            }
        }
        return problems
    }
}
