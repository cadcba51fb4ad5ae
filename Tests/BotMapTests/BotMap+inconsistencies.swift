import DNSSD

@testable import BotMap

extension BotMap {
    /// Where its indices disagree, and which rows break a rule.
    func inconsistencies() -> [String] {
        inconsistentLeads() + inconsistentEndpoints() + inconsistentGroups() + inconsistentRows()
    }

    private func inconsistentLeads() -> [String] {
        var problems: [String] = []
        for lead in leads.slots {
            let known = leads[lead]
            let group = known.group.map { groups[$0] }
            let members = known.isProved ? group?.proved : group?.claimants
            if members?.indices.contains(known.place) != true || members?[known.place] != lead {
                problems.append("\(known.key) is not at its place in \(String(describing: group?.key))")
            }
            if let group, groups.slot(of: group.key) != known.group { problems.append("\(group.key) is removed") }
            for endpoint in known.endpoints where !endpoints[endpoint].leads.contains(lead) {
                problems.append("\(endpoints[endpoint].key) does not know \(known.key)")
            }
            let shown = picture(of: lead)?.paths.map(\.endpoint)
            let row = known.row.map { rows[$0].gateway }
            if let row, rows.slot(of: row.id) != known.row { problems.append("\(known.key) is in a row that is lost") }
            if (shown == nil) != (row == nil) { problems.append("\(known.key) does not know whether it is shown") }
            if let shown, !shown.allSatisfy({ row?.paths.map(\.endpoint).contains($0) == true }) {
                problems.append("\(known.key) is not in its row")
            }
            if known.isForgotten { problems.append("\(known.key) is forgotten, and still here") }
        }
        if leads.count > limits.leads { problems.append("too many leads") }
        return problems
    }

    private func inconsistentEndpoints() -> [String] {
        var problems: [String] = []
        for endpoint in endpoints.slots {
            let facts = endpoints[endpoint]
            if facts.leads.contains(where: { !leads[$0].endpoints.contains(endpoint) || leads[$0].isForgotten }) {
                problems.append("\(facts.key) knows a lead that does not lead there")
            }
            if facts.presentLeads != Int32(facts.leads.count { leads[$0].isPresent }) {
                problems.append("\(facts.key) counts \(facts.presentLeads) present leads")
            }
            if facts.row != (facts.leads.count == 1 ? leads[facts.leads[0]].row : nil) {
                problems.append("\(facts.key) is in another row than it thinks")
            }
            if facts.leads.isEmpty && !facts.isRemembered { problems.append("\(facts.key) is never forgotten") }
            if facts.leads.count > limits.leadsPerEndpoint { problems.append("\(facts.key) has too many leads") }
        }
        if strayEndpoints.count > limits.remembered || lostLeads.count > limits.remembered {
            problems.append("too much is remembered")
        }
        return problems
    }

    private func inconsistentGroups() -> [String] {
        var problems: [String] = []
        let members = groups.slots.reduce(0) { $0 + groups[$1].proved.count + groups[$1].claimants.count }
        if members != leads.count { problems.append("\(members) members of groups, \(leads.count) leads") }
        for group in groups.slots.map({ groups[$0] }) {
            if group.isEmpty { problems.append("\(group.key) is empty") }
            if group.rows.contains(where: { rows.slot(of: rows[$0].key) != $0 }) {
                problems.append("\(group.key) has a row that is not shown")
            }
        }
        return problems
    }

    private func inconsistentRows() -> [String] {
        var problems: [String] = []
        let records = records.values.reduce(0) { $0 + $1.count }
        if records != recordCount || records > limits.pairings { problems.append("\(records) records") }
        for row in gateways {
            // What is not proved never comes before what is.
            let proofs = row.paths.filter { !$0.contradicts }.map(\.proof)
            if proofs != proofs.sorted(by: >) { problems.append("\(row.id) ranks its paths \(proofs)") }
            if row.paths != row.paths.sorted(by: { $0.precedes($1) }) { problems.append("\(row.id) is not sorted") }
            if Set(row.paths.map(\.endpoint)).count != row.paths.count { problems.append("\(row.id) has a path twice") }
            if case .claimant = row.id, row.isPaired { problems.append("\(row.id) is paired") }
        }
        return problems
    }

    /// The map that somebody would have who was told all of what this one knows, and nothing else, in one go.
    ///
    /// It is made without any of the short cuts of a map that has seen it happen. Only while no limit was hit is it the same.
    func rebuilt() -> BotMap {
        var map = BotMap(limits: limits)
        map.records = records
        map.recordCount = recordCount
        for key in records.keys {
            switch key {
            case .fingerprint(let fingerprint): map.markDirty(.fingerprint(fingerprint))
            case .lead(let lead): map.markDirty(.lead(lead))
            case .claimant: break
            }
        }
        for facts in endpoints.slots.map({ endpoints[$0] }) {
            if let checked = facts.checked { map.apply(.liveness(facts.key, checked, roundTrip: facts.roundTrip)) }
            if let outcome = facts.outcome { map.apply(.probed(facts.key, outcome)) }
        }
        for lead in leads.slots.map({ leads[$0] }) {
            if let service = lead.service {
                map.apply(.serviceFound(service))
                if !lead.isPresent { map.apply(.serviceLost(service.instance)) }
            } else if case .endpoint(let endpoint) = lead.key {
                map.apply(.endpointAdded(endpoint, lead.reach))
            }
        }
        return map
    }

    private mutating func markDirty(_ key: GroupKey) {
        dirty.append(Dirty(group: groups.slot(of: key) ?? groups.insert(LeadGroup(key)), lead: nil))
        refresh()
    }
}
