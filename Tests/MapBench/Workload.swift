import Constellation
import DNSSD
import TestSupport

/// Gateways, and events about them at random; the same for the same seed.
struct Workload {
    private var random: SeededGenerator
    private var fleet: [BenchGateway]

    /// The gateway whose service is lost just now. It is the next to be found.
    private var lost: Int?

    init(gateways: Int, seed: UInt64) {
        self.random = SeededGenerator(seed: seed)
        self.fleet = (0..<gateways).map(BenchGateway.init)
    }

    /// Every gateway found, and every endpoint asked.
    func filling() throws -> [BotMapEvent] {
        var events: [BotMapEvent] = []
        for gateway in fleet {
            events.append(.serviceFound(try gateway.service()))
            for endpoint in gateway.endpoints { events.append(.probed(endpoint, try gateway.answer())) }
        }
        return events
    }

    /// An event of a kind that is as frequent as it is where somebody watches.
    mutating func mixed() throws -> BotMapEvent {
        var place = random.next() % 1_000
        for kind in EventKind.allCases {
            if place < kind.share { return try event(kind) }
            place -= kind.share
        }
        return try event(.latency)
    }

    /// An event of one kind, about any gateway.
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
