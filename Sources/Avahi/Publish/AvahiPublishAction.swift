internal import DNSSD

/// An action that a ``AvahiPublishStateMachine`` asks for.
enum AvahiPublishAction: Hashable, Sendable {
    /// Empty the entry group (make one if there is none), add everything under this name, and commit.
    case publish(name: String, txt: TXTRecord)

    /// Replace the TXT record of what is published under this name.
    case updateTXT(name: String, txt: TXTRecord)

    /// Empty the entry group.
    case reset

    /// Look for owners of this name from now on.
    case lookFor(name: String)

    /// Look for owners no longer.
    case stopLooking

    /// Add everything under this name to a second entry group, and commit.
    case claim(name: String, txt: TXTRecord)

    /// Replace the first entry group with the second. The daemon sends goodbye packets for the first.
    case adopt

    /// Free the second entry group.
    case abandon

    /// Report the state of the publication.
    case report(PublicationState)
}
