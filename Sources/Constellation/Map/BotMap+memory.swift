internal import DNSSD
internal import DequeModule

/// The endpoints that nothing leads to, kept for a while since the rest of the news may come later.
extension BotMap {
    /// Remembers what was learned of an endpoint to which nothing leads.
    ///
    /// The queue holds keys: a slot may have become another's by the time that it is its turn.
    mutating func rememberWithoutCandidate(_ endpoint: Slot<EndpointFacts>) {
        guard endpoints[endpoint].candidates.isEmpty else { return }
        guard !endpoints[endpoint].isBlank else {
            // It may stand in the queue yet, and is passed over there.
            endpoints.remove(endpoint)
            return
        }
        guard !endpoints[endpoint].isRemembered else { return }
        endpoints[endpoint].isRemembered = true
        endpointsWithoutCandidate.append(endpoints[endpoint].key)
        // What is talked with, or is proved, is kept as long as there is anything else to forget.
        var spared = 0
        while endpointsWithoutCandidate.count > limits.remembered, let key = endpointsWithoutCandidate.popFirst() {
            guard let oldest = endpoints.slot(of: key) else { continue }
            if endpoints[oldest].candidates.isEmpty, isWorthKeeping(oldest), spared < limits.remembered {
                spared += 1
                endpointsWithoutCandidate.append(key)
                continue
            }
            endpoints[oldest].isRemembered = false
            guard endpoints[oldest].candidates.isEmpty else { continue }
            leave(oldest)
            endpoints.remove(oldest)
        }
    }

    /// Indicates whether more than an answer is known of an endpoint: no packet from the network brings that about.
    private func isWorthKeeping(_ endpoint: Slot<EndpointFacts>) -> Bool {
        endpoints[endpoint].session?.isAlive == true || endpoints[endpoint].proof.isConclusive
    }
}
