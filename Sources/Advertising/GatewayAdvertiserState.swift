public import DNSSD

/// The state of the advertising of a gateway.
public enum GatewayAdvertiserState: Hashable, Sendable {
    /// The gateway is being asked for the first time. Nothing is visible.
    case asking

    /// It is not advertised, or is just being withdrawn, for this reason. It is asked again and again.
    case withheld(WithholdingReason)

    /// It is advertised as it says it is; the publication stands like this.
    case advertising(GatewayFacts, Advertisement, PublicationState)

    /// Ended, because it was asked to. Nothing is visible.
    case ended

    /// Given up, because publishing is not possible, for this reason. Nothing is visible.
    case failed(BackendError)
}
