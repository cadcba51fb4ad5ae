internal import DNSSD
internal import GatewayProtocol

/// The reports of sessions and pairings about endpoints, as a scanner last read them from the constellation.
struct NoticedEndpoints {
    /// The endpoints whose pins come from the constellation, and end with it.
    private var noted: Set<Endpoint> = []

    /// The liveness of each endpoint as its sessions last saw it.
    private var sessions: [Endpoint: Liveness] = [:]

    /// Takes in what is known of an endpoint now.
    ///
    /// - Returns: Whether a pin was reported or has ended, and whether its sessions see something new.
    mutating func take(
        _ endpoint: Endpoint,
        session: Liveness?,
        pin: LeafFingerprint?
    ) -> (isPinReported: Bool, isSessionNew: Bool) {
        let isPinReported = pin != nil || noted.contains(endpoint)
        if pin != nil { noted.insert(endpoint) } else { noted.remove(endpoint) }
        let isSessionNew = sessions[endpoint] != session
        sessions[endpoint] = session
        return (isPinReported, isSessionNew)
    }
}
