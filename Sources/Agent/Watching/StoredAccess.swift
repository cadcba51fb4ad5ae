internal import GatewayProtocol
internal import Pairing
internal import Reports

/// The access of this device to gateways, and their names, as the store of pairings has them at one moment. A value.
struct StoredAccess: Hashable, Sendable {
    /// The time after which a revocation is told to nobody any more, in milliseconds.
    private static let longestWait = 86_400_000

    let pairings: [StoredPairing]

    /// The pairings that gateways have revoked, and the user has not got back by pairing again.
    let revoked: [BinnedPairing]

    /// The names that the user has given to gateways.
    let aliases: [GatewayAlias]

    init(pairings: [StoredPairing], revoked: [BinnedPairing] = [], aliases: [GatewayAlias] = []) {
        self.pairings = pairings
        self.revoked = revoked
        self.aliases = aliases
    }

    init(_ store: PairingStore, now: Timestamp = .now) throws(StoreError) {
        pairings = try store.pairings()
        aliases = try store.aliases()
        var revoked: [BinnedPairing] = []
        for item in try store.bin() {
            guard case .revoked = item.reason, item.time > now.milliseconds - Self.longestWait,
                try store.successor(of: item) == nil || !item.isWhole
            else { continue }
            revoked.append(item)
        }
        self.revoked = revoked
    }
}
