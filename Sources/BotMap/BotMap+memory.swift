internal import DNSSD

/// What nothing needs now, and is kept for a while since the rest of the news may come later.
extension BotMap {
    /// Remembers what was learned of an endpoint to which nothing leads.
    mutating func stray(_ endpoint: Endpoint) {
        guard let facts = endpoints[endpoint], facts.leads.isEmpty else { return }
        guard !facts.isBlank else {
            // It may stand in the queue yet, and is passed over there.
            endpoints[endpoint] = nil
            return
        }
        guard !facts.isRemembered else { return }
        endpoints[endpoint]?.isRemembered = true
        strayEndpoints.append(endpoint)
        while strayEndpoints.count > limits.remembered, let oldest = strayEndpoints.next() {
            endpoints[oldest]?.isRemembered = false
            if endpoints[oldest]?.leads.isEmpty == true { endpoints[oldest] = nil }
        }
    }

    /// Remembers a lost lead that is not shown.
    mutating func rememberLost(_ id: GatewayLead) {
        guard leads[id]?.isRemembered == false else { return }
        leads[id]?.isRemembered = true
        lostLeads.append(id)
        while lostLeads.count > limits.remembered { forgetOneLost() }
    }

    /// Forgets the oldest lost lead that is not shown.
    ///
    /// - Returns: `false` when there is none.
    @discardableResult
    mutating func forgetOneLost() -> Bool {
        while let oldest = lostLeads.next() {
            leads[oldest]?.isRemembered = false
            guard let lead = leads[oldest], !lead.isPresent, picture(of: oldest) == nil else { continue }
            forget(oldest)
            return true
        }
        return false
    }
}
