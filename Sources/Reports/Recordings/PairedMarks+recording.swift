internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import Trust

extension PairedMarks {
    /// The most places that are read: a store has fewer.
    private static let mostPlaces = 64

    var recording: JSONValue {
        var fields: [String: JSONValue] = [
            "dialect": .string(dialect.rawValue), "places": .array(places.map(\.recording)),
        ]
        fields["home"] = home?.recording
        switch proof {
        case .leaf(let pin): fields["pin"] = .string(pin.description)
        case .certificate: fields["certificate"] = .bool(true)
        case .address: fields["certificate"] = .bool(false)
        }
        return .object(fields)
    }

    init(recording fields: RecordedFields) throws(RecordingProblem) {
        let proof: Proof =
            if let pin = try fields.optionalLeaf("pin") {
                .leaf(pin)
            } else {
                try fields.bool("certificate") ? .certificate : .address
            }
        var places: [Endpoint] = []
        for place in try fields.list("places").prefix(Self.mostPlaces) {
            places.append(try Endpoint(recording: try RecordedFields(place, of: "a place of a paired gateway")))
        }
        self.init(
            dialect: try fields.rawValue("dialect", GatewayDialect.self),
            proof: proof,
            home: fields["home"] == nil ? nil : try Endpoint(recording: try fields.fields("home")),
            places: places
        )
    }
}
