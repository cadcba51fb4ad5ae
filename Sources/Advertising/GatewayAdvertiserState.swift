public import DNSSD

/// The state of the advertising of a gateway.
@nonexhaustive
public enum GatewayAdvertiserState: Hashable, Sendable {
    /// The gateway is being asked for the first time. Nothing is visible on the network.
    case asking

    /// The gateway is not advertised, or is just being withdrawn, for this reason, which is a text for people that is not
    /// cleaned. The gateway is asked again and again, and advertised as soon as the reason no longer applies.
    case withheld(String)

    /// The gateway is advertised with the facts that it reports; the publication is in this state.
    case advertising(PublicationState)

    /// The advertiser has ended, because it was asked to. Nothing is visible on the network.
    case ended

    /// The advertiser has given up, because publishing is not possible, for this reason. Nothing is visible on the
    /// network.
    case failed(BackendError)
}
