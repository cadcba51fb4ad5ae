internal import GatewayProtocol
internal import PairingStore

/// The access of this device to gateways, and their names, as the store of pairings has them at one moment. A value.
struct StoredAccess: Hashable, Sendable {
    let pairings: [StoredPairing]

    /// What gateways have revoked, and the user has not got back by pairing again.
    let revoked: [BinnedPairing]

    /// The names that the user has given to gateways.
    let aliases: [GatewayAlias]

    init(pairings: [StoredPairing], revoked: [BinnedPairing] = [], aliases: [GatewayAlias] = []) {
        self.pairings = pairings
        self.revoked = revoked
        self.aliases = aliases
    }

    init(_ store: PairingStore) throws(StoreError) {
        pairings = try store.pairings()
        aliases = try store.aliases()
        var revoked: [BinnedPairing] = []
        for item in try store.bin() {
            guard case .revoked = item.reason, try store.successor(of: item) == nil || !item.isWhole else { continue }
            revoked.append(item)
        }
        self.revoked = revoked
    }
}
