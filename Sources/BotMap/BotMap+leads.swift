internal import DNSSD

extension BotMap {
    /// A service is there, or something about it is new.
    mutating func found(_ service: Service) {
        let id = GatewayLead.service(service.instance)
        if let known = leads[id], known.isPresent, known.service == service { return }
        put(Lead(service: service, endpointLimit: limits.endpointsPerService), at: id)
    }

    /// An endpoint is wanted.
    mutating func typedIn(_ endpoint: Endpoint, _ reach: Reach) {
        let id = GatewayLead.endpoint(endpoint)
        if let known = leads[id], known.reach == reach { return }
        put(Lead(endpoint: endpoint, reach: reach), at: id)
    }

    private mutating func put(_ new: Lead, at id: GatewayLead) {
        var lead = new
        if let known = leads[id] {
            (lead.group, lead.isProved, lead.place) = (known.group, known.isProved, known.place)
            lead.isRemembered = known.isRemembered
            let kept = Set(lead.endpoints)
            for endpoint in known.endpoints {
                if known.isPresent { endpoints[endpoint]?.presentLeads -= 1 }
                if !kept.contains(endpoint) { unlink(endpoint, from: id) }
            }
        } else {
            guard hasRoom(for: id) else { return }
            lead.place = groups[lead.group, default: LeadGroup()].add(id, isProved: false)
        }
        lead.endpoints = lead.endpoints.filter { link($0, to: id) }
        leads[id] = lead
        touch(id)
        touchOthers(than: id, at: lead.endpoints)
    }

    /// Notes that a present lead leads to an endpoint.
    ///
    /// - Returns: Whether it does; `false` when too many do.
    private mutating func link(_ endpoint: Endpoint, to id: GatewayLead) -> Bool {
        var facts = endpoints[endpoint] ?? EndpointFacts()
        if !facts.leads.contains(id) {
            guard facts.leads.count < limits.leadsPerEndpoint else {
                if !facts.isCrowded {
                    changes.append(.problem(.tooManyLeads(endpoint, limit: limits.leadsPerEndpoint)))
                }
                endpoints[endpoint]?.isCrowded = true
                return false
            }
            facts.leads.append(id)
        }
        facts.presentLeads += 1
        endpoints[endpoint] = facts
        return true
    }

    /// Notes that a lead does not lead to an endpoint any more. Who is present is counted by the caller.
    private mutating func unlink(_ endpoint: Endpoint, from id: GatewayLead) {
        guard var facts = endpoints[endpoint] else { return }
        facts.leads.removeAll { $0 == id }
        facts.isCrowded = false
        endpoints[endpoint] = facts
        if facts.leads.isEmpty { stray(endpoint) }
        for other in facts.leads { touch(other) }
    }

    /// A service is lost. What it led to stays while it answers.
    mutating func lost(_ id: GatewayLead) {
        guard let lead = leads[id], lead.isPresent else { return }
        leads[id]?.isPresent = false
        for endpoint in lead.endpoints { endpoints[endpoint]?.presentLeads -= 1 }
        touch(id)
        touchOthers(than: id, at: lead.endpoints)
    }

    /// Forgets a lead at once.
    mutating func forget(_ id: GatewayLead) {
        guard let lead = leads.removeValue(forKey: id) else { return }
        withdraw(lead)
        dirty.append(Dirty(group: lead.group, lead: id))
        for endpoint in lead.endpoints {
            if lead.isPresent { endpoints[endpoint]?.presentLeads -= 1 }
            unlink(endpoint, from: id)
        }
        isFull = false
    }

    /// Whether a lost lead is shown at an endpoint depends on who else leads there.
    private mutating func touchOthers(than id: GatewayLead, at endpoints: [Endpoint]) {
        for endpoint in endpoints {
            guard let facts = self.endpoints[endpoint], facts.leads.count > 1 else { continue }
            for other in facts.leads where other != id { touch(other) }
        }
    }

    /// Whether one more lead can be taken in. Lost ones that are not shown make room; what is shown never does.
    private mutating func hasRoom(for id: GatewayLead) -> Bool {
        while leads.count >= limits.leads {
            guard forgetOneLost() else {
                if !isFull { changes.append(.problem(.tooManyGateways(id, limit: limits.leads))) }
                isFull = true
                return false
            }
        }
        return true
    }
}
