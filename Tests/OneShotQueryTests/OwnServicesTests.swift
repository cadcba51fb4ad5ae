import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// The questions that find out which of the services that point to this host are its own.
@Suite struct OwnServicesTests {
    private static let path = ServicePath(interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4)
    private static let own = IPAddress.v4(IPv4Address(bits: 0x0A00_0001))

    private let now = ContinuousClock.now
    private var services: OwnServices

    init() {
        services = OwnServices(now: now)
    }

    private func sighting(_ name: String, at address: IPAddress = own, port: UInt16 = 3_000) throws -> Sighting {
        Sighting(
            instance: try ServiceInstance(name: name, type: ServiceType("_openclaw._tcp")),
            path: Self.path,
            source: .avahi,
            resolution: .resolved,
            host: "alpha.local",
            port: port,
            addresses: [address]
        )
    }

    private mutating func see(_ sighting: Sighting, at time: Duration = .zero) {
        services.sighted(sighting, on: Self.path, isOwnAddress: { $0 == Self.own }, now: now + time)
    }

    private mutating func answer(_ records: DNSRecord...) -> [Sighting] {
        services.takeAnswer(
            DNSMessage(flags: .authoritativeResponse, answers: records),
            from: Self.own,
            on: Self.path
        )
    }

    /// A service is this host's own if a program of this host answers for it with the same location.
    @Test mutating func whatThisHostAnswersForIsItsOwn() throws {
        try see(sighting("Kitchen"))
        #expect(services.deadline == now)
        let questions = services.takeQuestions(now: now)
        #expect(questions.map(\.name.escaped) == ["Kitchen._openclaw._tcp.local"])
        #expect(services.isAsking(on: Self.path))
        let own = try answer(Samples.srv(port: 3_000))
        #expect(own.map(\.isOwn) == [true])
        #expect(own.first?.firstHandAddresses == [Self.own])
        #expect(services.deadline == nil)
        // A second answer adds nothing.
        #expect(try answer(Samples.srv(port: 3_000)).isEmpty)
    }

    @Test mutating func onlyWhatLeadsToThisHostIsAskedFor() throws {
        try see(sighting("Elsewhere", at: .v4(IPv4Address(bits: 0x0A00_0002))))
        var known = try sighting("Known")
        known.isOwn = true
        see(known)
        var unresolved = try sighting("Unresolved")
        unresolved.resolution = .resolving
        see(unresolved)
        #expect(services.deadline == nil)
        // The service has moved to another host before it was asked for.
        try see(sighting("Moved"))
        try see(sighting("Moved", at: .v4(IPv4Address(bits: 0x0A00_0002))))
        #expect(services.takeQuestions(now: now).isEmpty)
    }

    /// A service is not this host's own if the answers give another port or host, or there is no answer.
    @Test mutating func serviceWithAnotherAnswerIsNotOwn() throws {
        try see(sighting("Kitchen"))
        _ = services.takeQuestions(now: now)
        #expect(try answer(Samples.srv(port: 3_001)).isEmpty, "the answer is about another port")
        #expect(try answer(Samples.srv(port: 3_000, host: "beta.local")).isEmpty)
        #expect(try answer(Samples.srv(port: 3_000, ttl: 0)).isEmpty)
        #expect(try answer(Samples.srv("Office._openclaw._tcp.local", port: 3_000)).isEmpty)
        // The service is asked for twice, and then no longer.
        #expect(services.takeQuestions(now: now + .milliseconds(499)).isEmpty)
        #expect(services.takeQuestions(now: now + .milliseconds(500)).count == 1)
        #expect(services.takeQuestions(now: now + .seconds(1)).isEmpty)
        #expect(services.deadline == nil)
        #expect(try answer(Samples.srv(port: 3_000)).isEmpty)
    }

    @Test mutating func aFloodOfForgedServicesIsBounded() throws {
        for number in 0..<5_000 { try see(sighting("Forged \(number)")) }
        var asked = 0
        for step in 0..<200 { asked += services.takeQuestions(now: now + .milliseconds(step * 100)).count }
        #expect(asked <= 2 * 1_024)
        #expect(services.deadline == nil)
    }
}
