internal import DNSSD
internal import GatewayProtocol

extension PairedMarks: RecordedObject {
    /// The most places that are read: a store has fewer.
    private static let mostPlaces = 64

    var recording: JSONValue {
        var (pin, certificate): (LeafFingerprint?, Bool?)
        switch proof {
        case .leaf(let leaf): pin = leaf
        case .certificate: certificate = true
        case .address: certificate = false
        }
        return JSONValue(recording: [
            "dialect": dialect, "places": places, "home": home, "pin": pin, "certificate": certificate,
        ])
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let pin: LeafFingerprint? = try fields.optional("pin")
        let proof: Proof = if let pin { .leaf(pin) } else { try fields.value("certificate") ? .certificate : .address }
        let places: [Endpoint] = try fields.value("places")
        try self.init(
            dialect: fields.value("dialect"),
            proof: proof,
            home: fields.optional("home"),
            places: Array(places.prefix(Self.mostPlaces))
        )
    }
}
