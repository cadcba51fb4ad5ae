internal import DNSSD

/// An action that a ``PublishStateMachine`` asks for.
enum PublishAction: Hashable, Sendable {
    /// Register every type under this name, with this TXT record.
    case register(name: String, txt: TXTRecord)

    /// Take every registration back.
    case withdraw

    /// Replace the TXT record of every registration.
    case updateTXT(TXTRecord)

    /// Tell where the publication stands.
    case report(PublicationState)
}
