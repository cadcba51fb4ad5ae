internal import DNSSD

extension BotMap {
    /// A service is there, or something about it is new.
    mutating func found(_ service: Service) {
        let key = GatewayLead.service(service.instance)
        let endpoints = Lead.endpoints(of: service, limit: limits.endpointsPerService)
        guard let lead = leads.slot(of: key) else {
            add(Lead(key: key, service: service), endpoints)
            return
        }
        let wasPresent = leads[lead].isPresent
        if wasPresent, leads[lead].service == service { return }
        leads[lead].see(service)
        // Now, so that it cannot be forgotten to make room for others that are lost because of it.
        leads[lead].isPresent = true
        if wasPresent, isLeading(lead, to: endpoints) {
            touch(lead)
        } else {
            relink(lead, to: endpoints, wasPresent: wasPresent)
        }
    }

    /// An endpoint is wanted.
    mutating func typedIn(_ endpoint: Endpoint, _ reach: Reach) {
        guard let lead = leads.slot(of: .endpoint(endpoint)) else {
            add(Lead(endpoint: endpoint, reach: reach), [endpoint])
            return
        }
        guard leads[lead].reach != reach else { return }
        leads[lead].reach = reach
        // Where it leads to it alone, if there was no room before, there may be now.
        relink(lead, to: [endpoint], wasPresent: true)
    }

    private mutating func add(_ new: Lead, _ endpoints: [Endpoint]) {
        guard hasRoom(for: new.key) else { return }
        relink(leads.insert(new), to: endpoints, wasPresent: false)
    }

    private func isLeading(_ lead: Slot<Lead>, to endpoints: [Endpoint]) -> Bool {
        let known = leads[lead].endpoints
        return known.count == endpoints.count && zip(known, endpoints).allSatisfy { self.endpoints[$0].key == $1 }
    }

    /// A lead that is present leads to these endpoints, and to no others.
    private mutating func relink(_ lead: Slot<Lead>, to wanted: [Endpoint], wasPresent: Bool) {
        for endpoint in leads[lead].endpoints {
            if wasPresent { endpoints[endpoint].presentLeads -= 1 }
            if !wanted.contains(endpoints[endpoint].key) { unlink(endpoint, from: lead) }
        }
        leads[lead].endpoints = wanted.compactMap { link($0, to: lead) }
        touch(lead)
        touchOthers(than: lead)
    }

    /// Notes that a present lead leads to an endpoint.
    ///
    /// - Returns: The endpoint; `nil` when too many lead there.
    private mutating func link(_ key: Endpoint, to lead: Slot<Lead>) -> Slot<EndpointFacts>? {
        let endpoint = endpoints.slot(of: key) ?? endpoints.insert(EndpointFacts(key))
        if !endpoints[endpoint].leads.contains(lead) {
            guard endpoints[endpoint].leads.count < limits.leadsPerEndpoint else {
                if !endpoints[endpoint].isCrowded {
                    changes.append(.problem(.tooManyLeads(key, limit: limits.leadsPerEndpoint)))
                }
                endpoints[endpoint].isCrowded = true
                return nil
            }
            endpoints[endpoint].leads.append(lead)
            endpoints[endpoint].row = nil
        }
        endpoints[endpoint].presentLeads += 1
        return endpoint
    }

    /// Notes that a lead does not lead to an endpoint any more. Who is present is counted by the caller.
    private mutating func unlink(_ endpoint: Slot<EndpointFacts>, from lead: Slot<Lead>) {
        endpoints[endpoint].leads.removeAll { $0 == lead }
        endpoints[endpoint].row = nil
        endpoints[endpoint].isCrowded = false
        if endpoints[endpoint].leads.isEmpty { stray(endpoint) }
        for other in endpoints[endpoint].leads { touch(other) }
    }

    /// A service is lost. What it led to stays while it answers.
    mutating func lost(_ lead: Slot<Lead>) {
        guard leads[lead].isPresent else { return }
        leads[lead].isPresent = false
        for endpoint in leads[lead].endpoints { endpoints[endpoint].presentLeads -= 1 }
        touch(lead)
        touchOthers(than: lead)
    }

    /// Forgets a lead at once.
    mutating func forget(_ lead: Slot<Lead>) {
        leads[lead].isForgotten = true
        leads.remove(lead)
        if let group = withdraw(lead) { dirty.append(Dirty(group: group, lead: lead)) }
        for endpoint in leads[lead].endpoints {
            if leads[lead].isPresent { endpoints[endpoint].presentLeads -= 1 }
            unlink(endpoint, from: lead)
        }
        isFull = false
    }

    /// Whether a lost lead is shown at an endpoint depends on who else leads there.
    private mutating func touchOthers(than lead: Slot<Lead>) {
        for endpoint in leads[lead].endpoints where endpoints[endpoint].leads.count > 1 {
            for other in endpoints[endpoint].leads where other != lead { touch(other) }
        }
    }

    /// Whether one more lead can be taken in. Lost ones that are not shown make room; what is shown never does.
    private mutating func hasRoom(for key: GatewayLead) -> Bool {
        while leads.count >= limits.leads {
            guard forgetOneLost() else {
                if !isFull { changes.append(.problem(.tooManyGateways(key, limit: limits.leads))) }
                isFull = true
                return false
            }
        }
        return true
    }
}
