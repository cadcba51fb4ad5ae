import DNSSD

@testable import BotMap

extension BotMap {
    /// Where its indices disagree, and which rows break a rule.
    func inconsistencies() -> [String] {
        var problems: [String] = []
        for (id, lead) in leads {
            let members = lead.isProved ? groups[lead.group]?.proved : groups[lead.group]?.claimants
            if members?.indices.contains(lead.place) != true || members?[lead.place] != id {
                problems.append("\(id) is not at its place in \(lead.group)")
            }
            for endpoint in lead.endpoints where endpoints[endpoint]?.leads.contains(id) != true {
                problems.append("\(endpoint) does not know \(id)")
            }
        }
        for (endpoint, facts) in endpoints {
            if facts.leads.contains(where: { leads[$0]?.endpoints.contains(endpoint) != true }) {
                problems.append("\(endpoint) knows a lead that does not lead there")
            }
            if facts.presentLeads != facts.leads.count(where: { leads[$0]?.isPresent == true }) {
                problems.append("\(endpoint) counts \(facts.presentLeads) present leads")
            }
            if facts.leads.isEmpty && !facts.isRemembered { problems.append("\(endpoint) is never forgotten") }
            if facts.leads.count > limits.leadsPerEndpoint { problems.append("\(endpoint) has too many leads") }
        }
        let members = groups.values.reduce(0) { $0 + $1.proved.count + $1.claimants.count }
        if members != leads.count { problems.append("\(members) members of groups, \(leads.count) leads") }
        for (key, group) in groups {
            if group.isEmpty { problems.append("\(key) is empty") }
            if group.rows.contains(where: { rows[$0] == nil }) { problems.append("\(key) has a row that is not shown") }
        }
        if leads.count > limits.leads { problems.append("too many leads") }
        if strayEndpoints.count > limits.remembered || lostLeads.count > limits.remembered {
            problems.append("too much is remembered")
        }
        let records = records.values.reduce(0) { $0 + $1.count }
        if records != recordCount || records > limits.pairings { problems.append("\(records) records") }
        for (id, row) in rows {
            if row.id != id { problems.append("\(row.id) is shown as \(id)") }
            // What is not proved never comes before what is.
            let proofs = row.paths.filter { !$0.contradicts }.map(\.proof)
            if proofs != proofs.sorted(by: >) { problems.append("\(id) ranks its paths \(proofs)") }
            if Set(row.paths.map(\.endpoint)).count != row.paths.count { problems.append("\(id) has a path twice") }
            if case .claimant = id, row.isPaired { problems.append("\(id) is paired") }
        }
        return problems
    }
}
