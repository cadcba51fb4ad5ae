import DNSSD
import HostSystem
import TestSupport
import Testing

@testable import Discovery

/// Several hosts that want the same names at the same moment, as after a power failure.
@Suite struct ContestedNameTests {
    /// The time after which everything is published, and whether a publication said that its names are taken.
    private struct Course {
        let time: Duration
        let saysTaken: Bool
    }

    /// Lets hosts of one name publish services of the same names at once, over IPv4 and IPv6.
    private func publish(_ services: Int, on hosts: Int, seed: UInt64) throws -> Course {
        var link = SimulatedLink(
            addresses: (1...hosts).map { "10.0.0.\($0)" },
            hosts: (1...hosts).map { _ in "alpha" },
            seed: seed,
            isDual: true
        )
        for index in 0..<hosts {
            for service in 0..<services { _ = try link.publish("Room \(service)", port: 3_000, at: index) }
        }
        let wanted = hosts * services
        while link.time < .seconds(60), link.publishedCount < wanted { link.advance(by: .milliseconds(10)) }
        let isTold = link.stations.flatMap(\.states).contains {
            if case .publishing(waitingFor: .some(let error)) = $0 { error.code == .nameConflict } else { false }
        }
        let names = link.stations.map(\.responder.host.name)
        #expect(Set(names).count == hosts)
        return Course(time: link.time, saysTaken: isTold)
    }

    /// Three hosts of one name get three names in little more than two seconds, and none of them says that all names are taken.
    @Test(arguments: 1...UInt64(TestCases.count(20))) func threeHostsOfOneNameAreThereSoon(seed: UInt64) throws {
        let course = try publish(1, on: 3, seed: seed)
        #expect(course.time < .seconds(2.5), "seed \(seed)")
        #expect(!course.saysTaken)
    }

    /// Ten services on each of three such hosts take no longer.
    @Test(arguments: 1...UInt64(TestCases.count(10))) func theirServicesAreNotSerialised(seed: UInt64) throws {
        let course = try publish(10, on: 3, seed: seed)
        #expect(course.time < .seconds(2.5), "seed \(seed)")
        #expect(!course.saysTaken)
    }
}
