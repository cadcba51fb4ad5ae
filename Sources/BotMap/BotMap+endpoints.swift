internal import DNSSD

extension BotMap {
    /// An endpoint was asked what it is.
    mutating func learn(_ endpoint: Endpoint, outcome: ProbeOutcome) {
        guard endpoints[endpoint]?.outcome != outcome else { return }
        endpoints[endpoint, default: EndpointFacts()].outcome = outcome
        tellLeads(of: endpoint)
    }

    /// Whether an endpoint answers was checked.
    mutating func learn(_ endpoint: Endpoint, _ liveness: Liveness, _ roundTrip: Duration?) {
        let known = endpoints[endpoint]
        if known?.checked == liveness, roundTrip == nil || known?.roundTrip == roundTrip { return }
        endpoints[endpoint, default: EndpointFacts()].checked = liveness
        if let roundTrip { endpoints[endpoint]?.roundTrip = roundTrip }
        tellLeads(of: endpoint)
    }

    private mutating func tellLeads(of endpoint: Endpoint) {
        guard let leads = endpoints[endpoint]?.leads, !leads.isEmpty else {
            stray(endpoint)
            return
        }
        for id in leads { touch(id) }
    }

    /// A lead with those of its paths that are to be shown; `nil` when none is, because it is lost.
    func picture(of id: GatewayLead) -> LeadPicture? {
        guard let lead = leads[id] else { return nil }
        var paths: [GatewayPath] = []
        paths.reserveCapacity(lead.endpoints.count)
        for endpoint in lead.endpoints {
            guard let facts = endpoints[endpoint] else { continue }
            if !lead.isPresent {
                // What is lost counts while it answers, and only where nothing else leads: a gateway that was renamed
                // must not stay under its old name too.
                guard facts.presentLeads == 0, facts.liveness?.isAlive == true else { continue }
                guard facts.leads.count == 1 || facts.leads.min() == id else { continue }
            }
            paths.append(
                GatewayPath(
                    endpoint: endpoint,
                    reach: lead.reach,
                    isTypedIn: lead.service == nil,
                    outcome: facts.outcome,
                    liveness: facts.liveness,
                    roundTrip: facts.roundTrip
                )
            )
        }
        guard lead.isPresent || !paths.isEmpty else { return nil }
        return LeadPicture(id: id, lead: lead, paths: paths)
    }
}
