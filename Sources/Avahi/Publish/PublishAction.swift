internal import DNSSD

/// An action that a ``PublishStateMachine`` asks for.
enum PublishAction: Hashable, Sendable {
    /// Empty the entry group (make one if there is none), add everything under this name, and commit.
    case publish(name: String, txt: TXTRecord)

    /// Replace the TXT record of what is published under this name.
    case updateTXT(name: String, txt: TXTRecord)

    /// Empty the entry group.
    case reset

    /// Tell who has this name from now on.
    case lookFor(name: String)

    /// Tell that no more.
    case stopLooking

    /// Add everything under this name in a second entry group, and commit.
    case claim(name: String, txt: TXTRecord)

    /// Let the second entry group take the place of the first, which says goodbye.
    case adopt

    /// Free the second entry group.
    case abandon

    /// Tell the publisher.
    case report(PublicationState)
}
