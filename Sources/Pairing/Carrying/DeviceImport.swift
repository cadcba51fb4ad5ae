internal import GatewayProtocol

/// The plan for each pairing of a file on this device, to be shown before anything is done. A value.
package struct DeviceImport: Sendable {
    /// The fate of one pairing.
    package enum Verdict: Hashable, Sendable {
        /// This device does not have it.
        case isNew
        /// It takes the place of an older one, which goes to the bin.
        case replaces(PairingID)
        /// This device has the same one, or a newer one, which stays.
        case isHere
        /// It was unpaired here since, and stays so.
        case wasUnpaired
    }

    /// One pairing of the file.
    package struct Item: Sendable {
        package let carried: CarriedPairing
        package let verdict: Verdict

        /// Indicates whether it would come.
        package var comes: Bool {
            switch verdict {
            case .isNew, .replaces: true
            case .isHere, .wasUnpaired: false
            }
        }
    }

    /// The file.
    package let file: DeviceFile

    /// Its pairings, in its order.
    package let items: [Item]

    /// The pairings of this device whose tokens are bound to its identity, which another one would not open.
    package let bound: [StoredPairing]

    /// The identifiers that pairings of this device have, those in the bin included.
    let taken: Set<PairingID>

    /// Judges the pairings of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - live: The pairings of this device.
    ///   - bin: Those in its bin.
    package init(_ file: DeviceFile, live: [StoredPairing], bin: [BinnedPairing]) {
        self.file = file
        items = file.pairings.map { Item(carried: $0, verdict: Self.verdict($0, live, bin)) }
        bound = live.filter { $0.dialect.bindsTokensToDevice && !$0.credentials.isEmpty }
        taken = Set(live.map(\.id) + bin.map(\.pairing.id))
    }

    private static func verdict(
        _ carried: CarriedPairing,
        _ live: [StoredPairing],
        _ bin: [BinnedPairing]
    ) -> Verdict {
        let pairing = carried.pairing
        if let here = live.first(where: { pairing.isSamePairing(as: $0) }) {
            // One without a token is no reason to lose another.
            guard !pairing.credentials.isEmpty, here.credentials.isEmpty || here.newest < pairing.newest else {
                return .isHere
            }
            return .replaces(here.id)
        }
        let ended = bin.filter { $0.isWhole && pairing.isSamePairing(as: $0.pairing) }.map(\.time).max()
        return ended.map { $0 >= pairing.newest } ?? false ? .wasUnpaired : .isNew
    }
}

extension StoredPairing {
    /// Indicates whether another pairing is this one on another device, or one with the same gateway.
    fileprivate func isSamePairing(as other: StoredPairing) -> Bool {
        id == other.id || dialect == other.dialect && isSameGateway(as: other)
    }
}

extension CarriedPairing {
    /// The pairing under identifiers of its own, where another one has those that it came with.
    var renumbered: CarriedPairing {
        var (new, secrets) = (pairing, [CredentialID: Secret]())
        new.id = PairingID()
        for index in new.credentials.indices {
            let id = CredentialID()
            secrets[id] = self.secrets[new.credentials[index].id]
            new.credentials[index].id = id
        }
        return CarriedPairing(new, secrets: secrets)
    }
}
