internal import DNSSD

extension HomeNetwork {
    /// No network at all, which none that is observed equals.
    public static let nowhere = HomeNetwork(
        prefix: .v4(IPv4Address(bits: 0)),
        prefixLength: 0,
        router: [],
        gateway: nil
    )
}

extension TrustPolicy {
    /// No trust yet: no endpoint may have a token before the user has seen what answers. It is stored as trust in an
    /// address of no network, which earlier versions, too, allow nowhere.
    public static let awaited = TrustPolicy.sameAddress(.nowhere)
}

extension StoredPairing {
    /// Indicates whether it waits for the user to trust its gateway: nothing is sent to that before.
    public var awaitsTrust: Bool { trust == .awaited }

    /// Indicates whether a session with it is wanted now.
    package var isToBeConnected: Bool { connectsAutomatically && !awaitsTrust }
}
