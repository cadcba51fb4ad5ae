internal import DNSSD
internal import GRDB
internal import GatewayProtocol

/// All that a pairing says about where its tokens may go, as bytes that are authenticated with each sealed token: a
/// token does not open for a pairing whose row was changed by anybody without the key.
///
/// With TLS an endpoint is only a place to try, whose proof decides. Without TLS the endpoints are the proof, and so are
/// a part of it.
struct TokenDestination: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ pairing: StoredPairing) {
        bytes = SealedPlace.joined(
            [
                Array(pairing.dialect.rawValue.utf8), Self.bytes(of: pairing.trust),
                Self.optional(pairing.fingerprint?.bytes), Array(pairing.resource.utf8),
                Self.optional(pairing.remoteURL.map { Array($0.utf8) }),
            ] + (pairing.trust.isPlain ? pairing.endpoints.map { Self.bytes(of: $0, besides: pairing.resource) } : [])
        )
    }

    /// Reads what belongs to it of a pairing, whether that is live or in the bin.
    static func fetch(_ id: PairingID, _ db: Database) throws -> TokenDestination {
        guard var pairing = try PairingRow.fetch(id, db)?.pairing else { throw StoreError.noPairing(id) }
        if pairing.trust.isPlain { pairing.endpoints = try EndpointRow.fetch(id, db) }
        return TokenDestination(pairing)
    }

    private static func bytes(of trust: TrustPolicy) -> [UInt8] {
        switch trust {
        case .pinned(let leaf): SealedPlace.joined([Array("pinned".utf8), leaf.bytes])
        case .certified(let host): SealedPlace.joined([Array("certified".utf8), Array(host.utf8)])
        case .sameAddress(let network): SealedPlace.joined([Array("sameAddress".utf8), bytes(of: network)])
        case .lan(let network): SealedPlace.joined([Array("lan".utf8), bytes(of: network)])
        case .tailnet(let node): SealedPlace.joined([Array("tailnet".utf8), Array(node.key.utf8)])
        case .tunnel(let tunnel): SealedPlace.joined([Array("tunnel".utf8)] + parts(of: tunnel))
        }
    }

    private static func bytes(of network: HomeNetwork) -> [UInt8] {
        SealedPlace.joined([
            network.prefix.bytes, Array(String(network.prefixLength).utf8), network.router, optional(network.gateway),
        ])
    }

    /// Returns what distinguishes a tunnel from others.
    static func parts(of tunnel: NetworkTunnel) -> [[UInt8]] {
        [Array(tunnel.name.utf8), Array(tunnel.kind.rawValue.utf8), tunnel.address.bytes]
    }

    /// The interface of a scope counts by its name: its number is another one after each start of the system. The path
    /// counts where it is another one than that of the pairing, and the name where there is one: a path begins with a slash,
    /// a name does not.
    private static func bytes(of endpoint: Endpoint, besides resource: String) -> [UInt8] {
        SealedPlace.joined(
            [
                endpoint.address.bytes, Array(String(endpoint.port).utf8),
                optional(endpoint.address.scope.map { Array($0.name.utf8) }),
            ] + (endpoint.resource == resource ? [] : [Array(endpoint.resource.utf8)])
                + (endpoint.serverName.map { [Array($0.description.utf8)] } ?? [])
        )
    }

    /// Nothing and an empty value must differ.
    private static func optional(_ bytes: [UInt8]?) -> [UInt8] { bytes.map { [1] + $0 } ?? [] }
}
