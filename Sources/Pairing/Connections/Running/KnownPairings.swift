internal import Scanning

/// The pairings as they were last read from the store, found by their credentials, and as facts for the map. A value.
struct KnownPairings {
    private(set) var all: [PairingID: StoredPairing] = [:]
    private var ids: [CredentialID: PairingID] = [:]

    /// The places at which they were connected.
    var places = ConnectedPlaces()

    /// The same pairings as facts for the map, which knows their rows there.
    var facts = PairedGateways()

    init() {}

    subscript(id: PairingID) -> StoredPairing? { all[id] }

    /// Returns the identifier of the pairing to which a credential belongs.
    func id(of credential: CredentialID) -> PairingID? { ids[credential] }

    /// Returns the pairing to which a credential belongs.
    func pairing(of credential: CredentialID) -> StoredPairing? { ids[credential].flatMap { all[$0] } }

    /// Returns the credentials of a pairing that have sessions, sorted.
    func credentials(of id: PairingID) -> [CredentialID] { ids.filter { $0.value == id }.keys.sorted() }

    /// Returns the row of the map that is a pairing's gateway.
    func row(of id: PairingID) -> GatewayID? { facts.row(of: id) }

    /// Takes in a pairing as it was just read.
    mutating func take(_ pairing: StoredPairing) {
        // What the user trusts now is not where it was connected before: anybody may be there by now.
        if let former = all[pairing.id], former.trust != pairing.trust { places.remove(pairing.id) }
        all[pairing.id] = pairing
    }

    /// Records that a credential belongs to a pairing, and has a session.
    mutating func add(_ credential: CredentialID, of pairing: PairingID) { ids[credential] = pairing }

    /// Forgets a credential.
    mutating func remove(_ credential: CredentialID) { ids[credential] = nil }

    /// Forgets a pairing.
    mutating func remove(_ pairing: PairingID) {
        all[pairing] = nil
        places.remove(pairing)
    }
}
