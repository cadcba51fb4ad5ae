internal import DNSSD

/// What a ``PublishStateMachine`` wants done.
enum PublishAction: Hashable, Sendable {
    /// Empty the entry group (make one if there is none), add everything under this name, and commit.
    case publish(name: String, txt: TXTRecord)

    /// Replace the TXT record of what is published under this name.
    case updateTXT(name: String, txt: TXTRecord)

    /// Empty the entry group.
    case reset

    /// Tell the publisher.
    case report(PublicationState)
}
