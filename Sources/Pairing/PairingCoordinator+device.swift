internal import GatewayClient
internal import GatewayProtocol
internal import PairingStore

/// The description of this device that gateways receive.
extension PairingCoordinator {
    /// Returns the description of this device for the gateway of an attempt.
    func device(for attempt: PairingAttempt) throws(StoreError) -> DeviceDescription {
        device(knownAs: try deviceID(for: attempt))
    }

    /// Returns the description of this device under the identifier by which a gateway knows it.
    func device(knownAs id: String) -> DeviceDescription {
        let identity = store.device
        return DeviceDescription(
            id: id,
            name: identity.name,
            platform: identity.platform,
            version: configuration.version,
            publicKey: identity.publicKey,
            sign: { try identity.signature(of: $0) }
        )
    }

    /// Returns the identifier that the credentials of an attempt are issued to: OpenClaw's is the digest of the public
    /// key, and another gateway's is one of its own. A gateway that is paired already keeps the one that it knows.
    func deviceID(for attempt: PairingAttempt) throws(StoreError) -> String {
        let (offer, identity) = (attempt.offer, store.device)
        guard offer.dialect != .openClaw else { return device(knownAs: identity.id).openClawID }
        if let known = offer.pairing?.credentials.first?.deviceID { return known }
        return try identity.id(at: attempt.policy, fingerprint: offer.fingerprint, endpoint: offer.endpoint)
    }
}
