internal import DNSSD

extension BotMap {
    /// An endpoint was asked what it is.
    mutating func learn(_ key: Endpoint, outcome: ProbeOutcome) {
        let endpoint = endpoints.slot(of: key) ?? endpoints.insert(EndpointFacts(key))
        guard endpoints[endpoint].outcome != outcome else { return }
        endpoints[endpoint].outcome = outcome
        tellLeads(of: endpoint)
    }

    /// Whether an endpoint answers was checked.
    mutating func learn(_ key: Endpoint, _ liveness: Liveness, _ roundTrip: Duration?) {
        let endpoint = endpoints.slot(of: key) ?? endpoints.insert(EndpointFacts(key))
        let isSame = roundTrip == nil || endpoints[endpoint].roundTrip == roundTrip
        if isSame, endpoints[endpoint].checked == liveness { return }
        endpoints[endpoint].checked = liveness
        if let roundTrip { endpoints[endpoint].roundTrip = roundTrip }
        if !patchRows(with: endpoint) { tellLeads(of: endpoint) }
    }

    private mutating func tellLeads(of endpoint: Slot<EndpointFacts>) {
        guard !endpoints[endpoint].leads.isEmpty else {
            stray(endpoint)
            return
        }
        for lead in endpoints[endpoint].leads { touch(lead) }
    }

    /// A lead with those of its paths that are to be shown; `nil` when none is, because it is lost.
    func picture(of lead: Slot<Lead>) -> LeadPicture? {
        let isPresent = leads[lead].isPresent
        var paths: [GatewayPath] = []
        paths.reserveCapacity(leads[lead].endpoints.count)
        for endpoint in leads[lead].endpoints {
            guard isPresent || keepsLost(endpoint, lead) else { continue }
            paths.append(
                GatewayPath(
                    endpoint: endpoints[endpoint].key,
                    reach: leads[lead].reach,
                    isTypedIn: leads[lead].service == nil,
                    outcome: endpoints[endpoint].outcome,
                    liveness: endpoints[endpoint].liveness,
                    roundTrip: endpoints[endpoint].roundTrip
                )
            )
        }
        guard isPresent || !paths.isEmpty else { return nil }
        return LeadPicture(lead, advertised: leads[lead].fingerprint, paths: paths)
    }

    /// Whether a lost lead is still shown at an endpoint.
    ///
    /// It is while it answers, and only where nothing else leads: a gateway that was renamed must not stay under its old
    /// name too.
    private func keepsLost(_ endpoint: Slot<EndpointFacts>, _ lead: Slot<Lead>) -> Bool {
        guard endpoints[endpoint].presentLeads == 0, endpoints[endpoint].liveness?.isAlive == true else { return false }
        let rivals = endpoints[endpoint].leads
        return rivals.count == 1 || rivals.min { leads[$0].key < leads[$1].key } == lead
    }
}
