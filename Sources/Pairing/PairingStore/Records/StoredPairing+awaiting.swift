internal import GatewayProtocol

extension StoredPairing {
    /// Indicates whether it waits for the user to trust its gateway: nothing is sent to that before.
    public var awaitsTrust: Bool { trust == .awaited }

    /// Indicates whether a session with it is wanted now.
    package var isToBeConnected: Bool { connectsAutomatically && !awaitsTrust && deviceMovedAt == nil }

    /// The reason why it has no session whatever its gateway says; `nil` if it may have one.
    package var obstacle: String? {
        guard deviceMovedAt == nil else {
            return "this device was moved to another one. If that is gone: clawradar device restore"
        }
        return isToBePairedHere ? "its token stayed on the device that paired it: pair with it here, too" : nil
    }

    /// Indicates whether it came from another device, without the token that is bound to that.
    package var isToBePairedHere: Bool { credentials.isEmpty && dialect.bindsTokensToDevice }
}
