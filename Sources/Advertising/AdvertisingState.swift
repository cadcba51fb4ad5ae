package import DNSSD

/// The state of the advertising of a gateway, with all that is known of it.
package enum AdvertisingState: Hashable, Sendable {
    /// The gateway is being asked for the first time. Nothing is visible on the network.
    case asking

    /// The gateway is not advertised, or is just being withdrawn, for this reason. It is asked again and again.
    case withheld(WithholdingReason)

    /// The gateway is advertised with the facts that it reports; the publication is in this state.
    case advertising(AdvertisedFacts, Advertisement, PublicationState)

    /// The advertiser has ended, because it was asked to. Nothing is visible on the network.
    case ended

    /// The advertiser has given up, because publishing is not possible, for this reason. Nothing is visible on the
    /// network.
    case failed(BackendError)

    /// The state for programs that advertise a gateway.
    package var brief: GatewayAdvertiserState {
        switch self {
        case .asking: .asking
        case .withheld(let reason): .withheld("\(reason)")
        case .advertising(_, _, let publication): .advertising(publication)
        case .ended: .ended
        case .failed(let error): .failed(error)
        }
    }
}
