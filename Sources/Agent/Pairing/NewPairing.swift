package import GatewayProtocol
package import Pairing
package import Scanning

/// The pairing that somebody wants to begin.
package struct NewPairing: Sendable {
    /// A way by which the user means a gateway. A name is none: anybody can use it.
    package enum Gateway: Sendable {
        /// The row of the map.
        case row(String)

        /// An address.
        case address(ProbeAddress)

        /// A link, a setup code or a join URL.
        case invitation(PairingInvitation)
    }

    /// The gateway.
    package let gateway: Gateway

    /// The certificate whose digits the user gave.
    package var leaf: LeafFingerprint?

    /// The address outside of this network that is stored.
    package var remote: GatewayURL?

    /// Indicates whether this device is to be an admin there.
    package var isAdmin = false

    /// The name under which it is stored.
    package var name: String?

    /// The bots that are wanted, by identifier or name.
    package var bots: [String]?

    package init(_ gateway: Gateway) {
        self.gateway = gateway
    }
}
