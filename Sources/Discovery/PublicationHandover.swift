internal import DNSSD

/// The states that an advertiser is told while its publication goes from one backend to another and back: none, where
/// it stays published under its name. A value.
struct PublicationHandover {
    private var reported: PublicationState?

    /// Indicates whether the other backend is needed: the daemon of the preferred one is not there.
    private(set) var isOtherNeeded = false

    /// Indicates whether the preferred backend publishes, so that the other one falls silent without a goodbye.
    var isPreferredBack: Bool {
        if case .failed = reported { return false }
        return !isOtherNeeded
    }

    /// Takes in what the preferred backend tells.
    ///
    /// - Returns: What the advertiser is told.
    mutating func preferredReported(_ state: PublicationState) -> PublicationState? {
        if case .publishing(waitingFor: let error?) = state {
            isOtherNeeded = error.meansNoDaemon
            // What the other one does is told instead.
            return isOtherNeeded ? nil : news(state)
        }
        isOtherNeeded = false
        return news(state)
    }

    /// Takes in what the other backend tells.
    ///
    /// - Returns: What the advertiser is told.
    mutating func otherReported(_ state: PublicationState) -> PublicationState? {
        // The end of its work is no end of the publication.
        guard isOtherNeeded, state != .withdrawn else { return nil }
        return news(state)
    }

    private mutating func news(_ state: PublicationState) -> PublicationState? {
        // It is claimed anew by another backend, and nobody else sees that.
        if case .published = reported, state == .publishing(waitingFor: nil) { return nil }
        guard state != reported else { return nil }
        reported = state
        return state
    }
}
