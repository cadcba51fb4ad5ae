internal import GatewayProtocol

/// The kind of thing that a row of the map is, as far as answers have shown: see ``Gateway/classification``.
@nonexhaustive
public enum GatewayClassification: String, Hashable, Sendable, CaseIterable {
    /// It has answered as a gateway, or is paired.
    case gateway

    /// All its endpoints were asked, and none is a gateway: there is a web server, an SSH server, or nothing.
    case other

    /// It has not been asked yet, or not at all its endpoints.
    case undecided
}

extension Gateway {
    /// The classification of the row. Everything that is advertised as a gateway, or entered by the user, gets a row,
    /// whatever it turns out to be.
    ///
    /// One path that has answered as a gateway is enough, even if it no longer answers. A path that waits, see
    /// ``GatewayPath/waiting``, has not been asked.
    public var classification: GatewayClassification {
        if isPaired { return .gateway }
        var isAsked = !paths.isEmpty
        for path in paths {
            guard let outcome = path.outcome else {
                isAsked = false
                continue
            }
            if outcome.identity != nil { return .gateway }
        }
        return isAsked ? .other : .undecided
    }
}
