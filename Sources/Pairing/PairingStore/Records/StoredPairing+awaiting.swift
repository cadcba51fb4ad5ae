internal import GatewayProtocol

extension StoredPairing {
    /// Indicates whether it waits for the user to trust its gateway: nothing is sent to that before.
    public var awaitsTrust: Bool { trust == .awaited }

    /// Indicates whether a session with it is wanted now.
    package var isToBeConnected: Bool { connectsAutomatically && !awaitsTrust }
}
