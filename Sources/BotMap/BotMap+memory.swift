internal import DNSSD

/// What nothing needs now, and is kept for a while since the rest of the news may come later.
///
/// The queues hold keys: a slot may have become another's by the time that it is its turn.
extension BotMap {
    /// Remembers what was learned of an endpoint to which nothing leads.
    mutating func stray(_ endpoint: Slot<EndpointFacts>) {
        guard endpoints[endpoint].leads.isEmpty else { return }
        guard !endpoints[endpoint].isBlank else {
            // It may stand in the queue yet, and is passed over there.
            endpoints.remove(endpoint)
            return
        }
        guard !endpoints[endpoint].isRemembered else { return }
        endpoints[endpoint].isRemembered = true
        strayEndpoints.append(endpoints[endpoint].key)
        while strayEndpoints.count > limits.remembered, let key = strayEndpoints.next() {
            guard let oldest = endpoints.slot(of: key) else { continue }
            endpoints[oldest].isRemembered = false
            if endpoints[oldest].leads.isEmpty { endpoints.remove(oldest) }
        }
    }

    /// Remembers a lost lead that is not shown.
    mutating func rememberLost(_ lead: Slot<Lead>) {
        guard !leads[lead].isRemembered else { return }
        leads[lead].isRemembered = true
        lostLeads.append(leads[lead].key)
        while lostLeads.count > limits.remembered { forgetOneLost() }
    }

    /// Forgets the oldest lost lead that is not shown.
    ///
    /// - Returns: `false` when there is none.
    @discardableResult
    mutating func forgetOneLost() -> Bool {
        while let key = lostLeads.next() {
            guard let oldest = leads.slot(of: key) else { continue }
            leads[oldest].isRemembered = false
            guard !leads[oldest].isPresent, picture(of: oldest) == nil else { continue }
            forget(oldest)
            return true
        }
        return false
    }
}
