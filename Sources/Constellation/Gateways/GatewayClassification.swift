/// The kind of thing that a row of the map is, as far as answers have told: see ``Gateway/classification``.
public enum GatewayClassification: String, Hashable, Sendable, CaseIterable {
    /// It has answered as a gateway, or is paired.
    case gateway

    /// Everything that leads to it was asked, and nothing of it is a gateway: a web server, an SSH server, or nobody.
    case other

    /// It has not been asked yet, or only in part: nobody knows.
    case undecided
}

extension Gateway {
    /// The classification of the row: what is advertised as a gateway, or typed in, is a row whatever it is.
    ///
    /// One path that has answered as a gateway is enough, also while it does not answer any more. A path that waits, see
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
