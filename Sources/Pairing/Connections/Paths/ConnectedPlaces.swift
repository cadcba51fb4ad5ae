internal import DNSSD
internal import GatewayProtocol

/// The places at which pairings were connected while this process runs: those that the store does not keep are among
/// them, such as tunnels. A value.
struct ConnectedPlaces {
    /// The maximum number of places of one pairing: a gateway that is known by its certificate may be anywhere.
    static let most = 64

    private struct Place: Hashable {
        let place: SessionPath.Place
        let resource: String

        init(_ path: SessionPath) {
            place = path.place
            resource = path.resource
        }
    }

    private var places: [PairingID: [Place]] = [:]

    init() {}

    /// Records that a pairing was connected on a path. The oldest of too many places is forgotten.
    mutating func note(_ path: SessionPath, of pairing: PairingID) {
        let place = Place(path)
        let others = places[pairing, default: []].filter { $0 != place }
        places[pairing] = Array((others + [place]).suffix(Self.most))
    }

    /// Forgets a pairing.
    mutating func remove(_ pairing: PairingID) { places[pairing] = nil }

    /// Indicates whether a pairing was connected on a path before, as far as this process or the store knows.
    func has(_ path: SessionPath, of pairing: StoredPairing) -> Bool {
        places[pairing.id]?.contains(Place(path)) == true || pairing.wasConnected(on: path)
    }
}

extension StoredPairing {
    /// Indicates whether it was connected, or made, on a path, as far as the store knows.
    func wasConnected(on path: SessionPath) -> Bool {
        if let url = connectedURL.flatMap(GatewayURL.init), path.leads(to: url) { return true }
        switch path.place {
        case .endpoint(let endpoint): return endpoints.contains(endpoint)
        case .host(let host, let port):
            // It was made under this name, whatever addresses that has had since.
            guard trust == .certified(host: host) else { return false }
            return endpoints.contains { $0.port == port && $0.resource == path.resource }
        }
    }
}

extension SessionPath {
    /// Indicates whether it is the path to a URL.
    func leads(to url: GatewayURL) -> Bool {
        switch place {
        case .endpoint(let endpoint):
            url.address.map { url.endpoint(at: $0) } == endpoint
        case .host(let host, let port): url.host == host && url.port == port && url.resource == resource
        }
    }
}
