import DNSSD
import Scanning
import TestSupport

/// Gateways, and random events about them, which are the same for the same seed.
struct Workload {
    private var random: SeededGenerator
    private var fleet: [BenchGateway]

    /// The gateway whose service is lost at present. The next event ``EventKind/lostAndFound`` finds it again.
    private var lost: Int?

    init(gateways: Int, seed: UInt64) {
        self.random = SeededGenerator(seed: seed)
        self.fleet = (0..<gateways).map(BenchGateway.init)
    }

    /// Returns the events by which every gateway is found and every endpoint is probed.
    func filling() throws -> [BotMapEvent] {
        var events: [BotMapEvent] = []
        for gateway in fleet {
            events.append(.serviceFound(try gateway.service()))
            for endpoint in gateway.endpoints { events.append(.probed(endpoint, try gateway.answer())) }
        }
        return events
    }

    /// Returns an event of a random kind, each as frequent as in a running scan.
    mutating func mixed() throws -> BotMapEvent {
        var place = random.next() % 1_000
        for kind in EventKind.allCases {
            if place < kind.share { return try event(kind) }
            place -= kind.share
        }
        return try event(.latency)
    }

    /// Returns an event of one kind about a random gateway.
    mutating func event(_ kind: EventKind) throws -> BotMapEvent {
        let index = Int(random.next() % UInt64(fleet.count))
        let dice = random.next()
        let endpoints = fleet[index].endpoints
        let endpoint = endpoints[Int(dice % UInt64(endpoints.count))]
        switch kind {
        case .latency:
            return .liveness(endpoint, .answering, roundTrip: .microseconds(Int64(300 + dice >> 8 % 5_000)))
        case .liveness:
            return .liveness(endpoint, dice >> 8 % 2 == 0 ? .answering : .suspect)
        case .foundSame:
            return index == lost ? .serviceLost(try fleet[index].instance()) : .serviceFound(try fleet[index].service())
        case .foundChanged:
            fleet[index].version += 1
            if index == lost { lost = nil }
            return .serviceFound(try fleet[index].service())
        case .probedSame:
            return .probed(endpoint, try fleet[index].answer())
        case .probedChanged:
            fleet[index].bots = fleet[index].bots % 3 + 1
            return .probed(endpoint, try fleet[index].answer())
        case .lostAndFound:
            if let found = lost {
                lost = nil
                return .serviceFound(try fleet[found].service())
            }
            lost = index
            return .serviceLost(try fleet[index].instance())
        case .bot:
            return try fleet[index].nextBotEvent()
        }
    }
}
