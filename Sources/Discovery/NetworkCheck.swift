internal import DNSSD

/// The reports of a backend, with the one condition that no backend notices by itself: that there is no network to browse or
/// publish on. A daemon runs, and the engine is ready, also on a host without a link. A value.
struct NetworkCheck {
    /// The reason why nobody can be reached; `nil` while somebody can.
    private var lack: BackendError?

    /// The status that the backend reported last.
    private var status = BackendStatus.starting

    /// The state that the backend last reported of a publication; `nil` before its first.
    private var publication: PublicationState?

    /// Takes in events of the backend, and returns those for the browser.
    mutating func take(_ events: [BrowseEvent]) -> [BrowseEvent] {
        events.map { event in
            guard case .status(let status) = event else { return event }
            self.status = status
            return .status(shown(status))
        }
    }

    /// Takes in a state of a publication, and returns the one for the advertiser.
    mutating func take(_ state: PublicationState) -> PublicationState {
        publication = state
        return shown(state)
    }

    /// Takes in the present lack of a network.
    ///
    /// - Returns: What the browser and the advertiser are to be told anew; `nil` each if it is the same as before.
    mutating func take(_ lack: BackendError?) -> (status: BackendStatus?, publication: PublicationState?) {
        guard lack != self.lack else { return (nil, nil) }
        let before = (shown(status), publication.map(shown))
        self.lack = lack
        let after = (shown(status), publication.map(shown))
        return (after.0 == before.0 ? nil : after.0, after.1 == before.1 ? nil : after.1)
    }

    private func shown(_ status: BackendStatus) -> BackendStatus {
        // Of two reasons, this one comes first: without a network, a daemon would be of no use.
        lack.map(BackendStatus.unavailable) ?? status
    }

    private func shown(_ state: PublicationState) -> PublicationState {
        guard let lack else { return state }
        switch state {
        case .publishing, .published, .renamed: return .publishing(waitingFor: lack)
        case .withdrawn, .failed: return state
        }
    }
}
