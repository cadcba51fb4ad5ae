internal import DNSSD

/// The states that are reported to an advertiser while its publication moves from one backend to another and back:
/// none, as long as it stays published under its name. A value.
struct PublicationHandover {
    private var reported: PublicationState?

    /// Indicates whether the other backend is needed: the preferred one has no daemon.
    private(set) var isOtherNeeded = false

    /// Indicates whether the preferred backend publishes, so that the other one falls silent without a goodbye.
    var isPreferredBack: Bool {
        if case .failed = reported { return false }
        return !isOtherNeeded
    }

    /// Takes in a state that the preferred backend reports.
    ///
    /// - Returns: The state to report to the advertiser, if there is one.
    mutating func preferredReported(_ state: PublicationState) -> PublicationState? {
        if case .publishing(waitingFor: let error?) = state {
            isOtherNeeded = error.meansNoDaemon
            // The states of the other backend are reported instead.
            return isOtherNeeded ? nil : change(to: state)
        }
        isOtherNeeded = false
        return change(to: state)
    }

    /// Takes in a state that the other backend reports.
    ///
    /// - Returns: The state to report to the advertiser, if there is one.
    mutating func otherReported(_ state: PublicationState) -> PublicationState? {
        // The end of its work is not the end of the publication.
        guard isOtherNeeded, state != .withdrawn else { return nil }
        return change(to: state)
    }

    private mutating func change(to state: PublicationState) -> PublicationState? {
        // Another backend claims the name again, which nobody else notices.
        if case .published = reported, state == .publishing(waitingFor: nil) { return nil }
        guard state != reported else { return nil }
        reported = state
        return state
    }
}
