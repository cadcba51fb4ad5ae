internal import DNSSD
internal import DequeModule

/// The endpoints to which nothing leads, kept for a while since their candidates may be reported later.
extension BotMap {
    /// Remembers what was learned about an endpoint to which nothing leads.
    mutating func rememberWithoutCandidate(_ endpoint: Endpoint) {
        guard endpoints[endpoint].candidates.isEmpty else { return }
        guard !endpoints[endpoint].isBlank else {
            // It may still be in the queue, and is skipped there.
            endpoints.remove(endpoint)
            return
        }
        guard !endpoints[endpoint].isRemembered else { return }
        endpoints[endpoint].isRemembered = true
        endpointsWithoutCandidate.append(endpoint)
        // Endpoints with a session or a proof are kept as long as there is anything else to forget.
        var spared = 0
        while endpointsWithoutCandidate.count > limits.remembered, let key = endpointsWithoutCandidate.popFirst() {
            guard let oldest = endpoints.known(key) else { continue }
            if endpoints[oldest].candidates.isEmpty, isWorthKeeping(oldest), spared < limits.remembered {
                spared += 1
                endpointsWithoutCandidate.append(key)
                continue
            }
            endpoints[oldest].isRemembered = false
            guard endpoints[oldest].candidates.isEmpty else { continue }
            leave(oldest)
            touchRows(pairedAt: oldest)
            endpoints.remove(oldest)
        }
    }

    /// Indicates whether an endpoint has a live session or a conclusive proof: no packet from the network alone leads
    /// to either.
    private func isWorthKeeping(_ endpoint: Endpoint) -> Bool {
        endpoints[endpoint].session?.isAlive == true || endpoints[endpoint].proof.isConclusive
    }
}
