internal import DNSSD

/// An action that a ``BrowseStateMachine`` asks for.
enum BrowseAction: Hashable, Sendable {
    /// Ask; what comes is given to ``BrowseStateMachine/receive(_:from:now:)``.
    case start(LookupKey)

    /// Ask no longer.
    case stop(LookupKey)

    /// Tell the browser.
    case report([BrowseEvent])
}
