import DNSSD
import TestSupport
import Testing

@testable import Avahi

/// Random events of the network and the daemon: nothing traps, and each object is created and freed once.
@Suite struct BrowseFuzzTests {
    @Test func anyEventsKeepTheBooks() {
        var random = SeededGenerator.forFuzzing("browse events")
        var lan = BrowseHarness(maximumInstances: 12)
        var isUp = false
        var reported: Set<String> = []
        for _ in 0..<TestCases.count(100_000) {
            switch random.next() % 1_000 {
            case 0:
                lan.disconnect()
                isUp = false
            case 1...9:
                if !isUp { lan.connect(cacheLimit: Int(random.next() % 60)) }
                isUp = true
            case 10...39:
                lan.wait(.milliseconds(random.next() % 4_000))
            case 40...59:
                lan.refuse(Self.object(lan, &random), random.next() & 1 == 0 ? .tooManyObjects : .failure)
            case 60...199:
                Self.follow(lan.events(), &reported)
            default:
                let object = Self.object(lan, &random) ?? ObjectID(rawValue: Int(random.next() % 50))
                lan.report(Self.event(&random), from: object)
            }
        }
        // A restart after which nothing is seen removes all instances, and every object but the browser.
        lan.disconnect()
        lan.connect()
        lan.report(.allForNow, from: lan.browser)
        lan.wait(.seconds(3))
        Self.follow(lan.events(), &reported)
        #expect(reported.isEmpty)
        #expect(lan.objects.count == 1)
    }

    /// Every object but the browser is freed when all instances have been removed by a daemon that keeps running.
    @Test func whatIsMadeIsFreedWhenAllIsGone() {
        var random = SeededGenerator.forFuzzing("browse removals")
        for _ in 0..<TestCases.count(200) {
            var lan = BrowseHarness()
            lan.connect()
            for _ in 0..<200 { lan.report(Self.event(&random), from: Self.object(lan, &random)) }
            for name in Self.names {
                for path in Self.paths { lan.instance(.remove, name, on: path) }
            }
            #expect(lan.objects.count == 1)
        }
    }

    /// Follows the reported paths, and expects that only paths that were reported vanish.
    private static func follow(_ events: [BrowseEvent], _ reported: inout Set<String>) {
        for event in events {
            switch event {
            case .sighted(let sighting): reported.insert("\(sighting.instance) \(sighting.path)")
            case .vanished(let instance, let path, _): #expect(reported.remove("\(instance) \(path)") != nil)
            case .status, .activity, .warning, .domain, .losses: break
            }
        }
    }

    private static let names = ["a", "b.c", "d\\e", "ü", "\u{1B}[2J", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o"]
    private static let paths = [
        BrowseHarness.eth0, BrowseHarness.eth0v6, BrowseHarness.eth1, AvahiPath(interface: -1, family: .ipv4),
        AvahiPath(interface: 77, family: .ipv6),
    ]

    private static func object(_ lan: BrowseHarness, _ random: inout SeededGenerator) -> ObjectID? {
        if random.next() & 3 == 0 { return lan.browser }
        let objects = lan.objects.keys.sorted { $0.rawValue < $1.rawValue }
        return objects.isEmpty ? nil : objects[Int(random.next() % UInt64(objects.count))]
    }

    private static func event(_ random: inout SeededGenerator) -> ObjectEvent {
        let path = paths[Int(random.next() % 16 % UInt64(paths.count))]
        let kind: ObjectEvent.Kind = random.next() % 5 < 3 ? .new : .remove
        switch random.next() % 16 {
        case 0: return .cacheExhausted
        case 1: return .allForNow
        case 2: return .failed(.failure)
        case 3: return .groupCollision
        case 4:
            let host = random.next() & 1 == 0 ? "h\(random.next() % 4).local" : nil
            return .resolved(host: host, port: 80, txt: [random.bytes(upTo: 300)])
        case 5...9:
            let name = names[Int(random.next() % UInt64(names.count))]
            let isBad = random.next() & 31 == 0
            return .instance(
                kind,
                name: isBad ? nil : name,
                type: "_openclaw._tcp",
                domain: "local",
                on: path,
                isOurs: random.next() & 1 == 0,
                isOwn: random.next() & 1 == 0
            )
        case 10: return .record(kind, data: random.bytes(upTo: 40), on: path)
        case 11, 12:
            let host = "h\(random.next() % 4).local"
            return .record(kind, data: BrowseHarness.srvData(host, port: UInt16(random.next() % 3)), on: path)
        case 13: return .record(kind, data: [3, 0x76, 0x3D, UInt8(random.next() % 4)], on: path)
        case 14: return .record(kind, data: [10, 0, 0, UInt8(random.next() % 4)], on: path)
        default:
            let address = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [UInt8(random.next() % 4)]
            return .record(kind, data: address, on: path)
        }
    }
}
