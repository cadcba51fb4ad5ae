internal import DNSSD

/// The endpoints, and their numbers by state. Keeping these up to date costs the same however many endpoints there are.
struct EndpointTable {
    /// The numbers of endpoints by state.
    struct Tally: Hashable {
        /// The endpoints whose kind is known.
        var asked = 0

        /// The endpoints behind which a gateway answered.
        var gateways = 0

        /// The endpoints among these that answer, or did a moment ago, and lead their gateways.
        var primaries = 0

        /// The endpoints that answer, or did a moment ago, and do not lead their gateways.
        var others = 0

        /// The endpoints that answer, or did a moment ago, and to which nothing points.
        var unwanted = 0

        /// The endpoints to which a connection is held.
        var held = 0

        /// The endpoints among these that do not lead their gateways.
        var heldBesides = 0
    }

    /// The place of each endpoint in `endpoints`, by its hash. A dictionary of the endpoints themselves would have room for twice
    /// as many as there are, and one of places would have each key once more.
    private var places = HashedNumbers()
    private var endpoints: ContiguousArray<ScannedEndpoint?> = []

    /// The places without an endpoint.
    private var vacant: [Int] = []

    private(set) var tally = Tally()

    /// The number of the endpoint that was numbered last.
    private var lastNumber = 0

    /// Returns the number of a new endpoint.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    var count: Int { places.count }
    var keys: some Collection<Endpoint> { endpoints.compactMap { $0?.endpoint } }
    var values: some Collection<ScannedEndpoint> { endpoints.compactMap { $0 } }

    subscript(endpoint: Endpoint) -> ScannedEndpoint? {
        get { place(of: endpoint).flatMap { endpoints[$0] } }
        // In place: otherwise, the endpoint's arrays would be copied whenever one of them changes.
        _modify {
            if let place = place(of: endpoint) {
                count(place, -1)
                defer {
                    if endpoints[place] == nil { vacate(place, of: endpoint) } else { count(place, 1) }
                }
                yield &endpoints[place]
            } else {
                var new: ScannedEndpoint?
                defer { if let new { insert(new) } }
                yield &new
            }
        }
    }

    private func place(of endpoint: Endpoint) -> Int? {
        places.first(HashedNumbers.hash(endpoint)) { endpoints[Int($0)]?.endpoint == endpoint }.map { Int($0) }
    }

    /// Inserts an endpoint that is not in the table.
    mutating func insert(_ endpoint: ScannedEndpoint) {
        let place: Int
        if let free = vacant.popLast() {
            place = free
            endpoints[place] = endpoint
        } else {
            place = endpoints.count
            endpoints.append(endpoint)
        }
        places.insert(HashedNumbers.hash(endpoint.endpoint), UInt32(place))
        count(place, 1)
    }

    mutating func removeValue(forKey endpoint: Endpoint) -> ScannedEndpoint? {
        guard let place = place(of: endpoint) else { return nil }
        count(place, -1)
        let removed = endpoints[place]
        endpoints[place] = nil
        vacate(place, of: endpoint)
        return removed
    }

    private mutating func vacate(_ place: Int, of endpoint: Endpoint) {
        places.remove(HashedNumbers.hash(endpoint), UInt32(place))
        places.giveBackRoom()
        vacant.append(place)
        endpoints.giveBackRoom(used: places.count, free: &vacant) { $0 == nil }
    }

    private mutating func count(_ place: Int, _ step: Int) {
        // Property by property: a copy of the endpoint would retain all that it holds.
        if endpoints[place]?.question.isAsked == true { tally.asked += step }
        if endpoints[place]?.holding.isHeld == true {
            tally.held += step
            if endpoints[place]?.leads == false { tally.heldBesides += step }
        }
        guard let liveness = endpoints[place]?.tracker.liveness else { return }
        tally.gateways += step
        guard liveness != .gone else { return }
        if endpoints[place]?.leads == true { tally.primaries += step } else { tally.others += step }
        if endpoints[place]?.isWanted == false { tally.unwanted += step }
    }
}
