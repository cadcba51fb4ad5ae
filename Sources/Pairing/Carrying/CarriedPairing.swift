package import GatewayProtocol

/// A pairing on its way to another device, or to another time of this one, with those of its secrets that go with it. A value.
///
/// Its JSON says all that decides where a token may go, so that the other device trusts what this one trusted, and nothing
/// else. It is as secret as the tokens in it, and leaves this device only sealed: in the file of ``DeviceFile``, or in a row
/// of the cloud.
package struct CarriedPairing: Hashable, Sendable {
    /// The pairing. It keeps its identifiers, by which whoever receives it twice, or in parts, recognizes it.
    package var pairing: StoredPairing

    /// The secret of each of its credentials.
    package var secrets: [CredentialID: Secret]

    /// Takes a pairing along with some secrets. Credentials without one stay behind.
    package init(_ pairing: StoredPairing, secrets: [CredentialID: Secret]) {
        self.pairing = pairing
        self.pairing.credentials = pairing.credentials.filter { secrets[$0.id] != nil }
        let ids = Set(self.pairing.credentials.map(\.id))
        self.secrets = secrets.filter { ids.contains($0.key) }
    }

    /// The pairing as another device can use it: tokens that are bound to this one stay behind, and the gateway is known
    /// there, to be paired with again.
    package var forAnotherDevice: CarriedPairing {
        pairing.dialect.bindsTokensToDevice ? CarriedPairing(pairing, secrets: [:]) : self
    }
}

extension StoredPairing {
    /// The time at which its newest token was received, else that of pairing, in milliseconds since 1970.
    package var newest: Int { credentials.map(\.createdAt).max() ?? pairedAt }
}
