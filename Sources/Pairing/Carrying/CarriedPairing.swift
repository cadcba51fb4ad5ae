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

    /// Returns the pairing with the bots and credentials of another part of it, as rows of the cloud have each bot by
    /// itself. What both have is taken from the part whose credential is newer.
    package func joined(with other: CarriedPairing) -> CarriedPairing {
        let (newer, older) = newest < other.newest ? (other, self) : (self, other)
        var result = newer
        let known = Set(newer.pairing.bots.map(\.id))
        result.pairing.bots += older.pairing.bots.filter { !known.contains($0.id) }
        for credential in older.pairing.credentials {
            guard let index = result.pairing.credentials.firstIndex(where: { $0.id == credential.id }) else {
                result.pairing.credentials.append(credential)
                result.secrets[credential.id] = older.secrets[credential.id]
                continue
            }
            let present = result.pairing.credentials[index].bots
            // One that opens all bots names none.
            result.pairing.credentials[index].bots =
                present.isEmpty || credential.bots.isEmpty
                ? [] : present + credential.bots.filter { !present.contains($0) }
        }
        return result
    }

    /// The time at which its newest token was received, in milliseconds since 1970: of two pairings with a gateway, the one
    /// with the later time counts.
    package var newest: Int { pairing.newest }
}

extension StoredPairing {
    /// The time at which its newest token was received, else that of pairing, in milliseconds since 1970.
    package var newest: Int { credentials.map(\.createdAt).max() ?? pairedAt }
}
