internal import GatewayClient
internal import GatewayProtocol

/// The description of this device that gateways receive.
extension PairingCoordinator {
    /// Returns the description of this device for the gateway of an attempt.
    func device(for attempt: PairingAttempt) async throws(StoreError) -> DeviceDescription {
        try await store.performToEnd { store throws(StoreError) in
            let identity = store.device
            return self.device(identity, knownAs: try self.deviceID(identity, for: attempt))
        }
    }

    /// Returns the description of this device under the identifier by which a gateway knows it.
    nonisolated func device(_ identity: DeviceIdentity, knownAs id: String) -> DeviceDescription {
        DeviceDescription(
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
    nonisolated func deviceID(_ identity: DeviceIdentity, for attempt: PairingAttempt) throws(StoreError) -> String {
        let offer = attempt.offer
        guard offer.dialect != .openClaw else { return device(identity, knownAs: identity.id).openClawID }
        if let known = offer.pairing?.credentials.first?.deviceID { return known }
        return try identity.id(
            at: attempt.policy,
            fingerprint: offer.fingerprint,
            endpoint: offer.endpoint,
            version: offer.dialect == .clawline ? 4 : 8
        )
    }
}
