import DNSSD
import HostSystem
import TestSupport
import Testing

@testable import Discovery

/// The look-up of a host, with a clock that the test advances, on a link without other hosts.
@Suite(.timeLimit(.minutes(1))) struct HostLookupTests {
    private let clock = TurnedClock()
    private let start: ContinuousClock.Instant

    /// The loopback interface, which every host has. Multicast packets reach nobody there.
    private let link: Link

    init() throws {
        start = clock.now
        let loopback = try #require(HostInterface.all.first { $0.flags.contains(.loopback) })
        link = Link(
            interface: loopback.interface,
            prefixes: [Link.Prefix(address: .v4(IPv4Address(bits: 0x7F00_0001)), length: 8)]
        )
    }

    private func lookup(within limit: Duration) async throws -> LinkLookup<HostQuestion> {
        let lookup = try #require(LinkLookup(HostQuestion(id: 7, name: "host.local"), within: limit, clock: clock))
        await lookup.begin(on: [link])
        return lookup
    }

    /// Advances the clock, lets the look-up do what is due, and returns its next deadline.
    private func turn(by time: Duration, _ lookup: LinkLookup<HostQuestion>) async -> Duration {
        clock.turn(by: time)
        await lookup.turn()
        return await lookup.deadline - start
    }

    private func answer(_ records: [DNSRecord], _ lookup: LinkLookup<HostQuestion>) async {
        let message = DNSMessage(id: await lookup.question.id, flags: .authoritativeResponse, answers: records)
        let source = SocketAddress(.v4(IPv4Address(bits: 0x7F00_0002)), port: MulticastGroup.port)
        await lookup.receive(message.encoded().bytes, from: source, on: link)
    }

    private func found(_ lookup: LinkLookup<HostQuestion>) async -> [IPAddress]? {
        var found: [IPAddress]?
        for await addresses in lookup.answers { found = addresses }
        return found
    }

    /// The question is repeated after one second and then at intervals that double (RFC 6762 §5.2), until the time
    /// limit ends the look-up.
    @Test func itAsksAgainUntilItsTimeIsUp() async throws {
        let lookup = try await lookup(within: .seconds(5))
        #expect(await lookup.deadline - start == .seconds(1))
        #expect(await turn(by: .milliseconds(900), lookup) == .seconds(1))
        #expect(await turn(by: .milliseconds(100), lookup) == .seconds(3))
        #expect(await turn(by: .seconds(2), lookup) == .seconds(5))
        _ = await turn(by: .seconds(2), lookup)
        #expect(await found(lookup) == [])
        await lookup.close()
    }

    /// The look-up ends 200 ms after the first address, which is enough for the other family, and a further address
    /// does not prolong it.
    @Test func itEndsSoonAfterTheFirstAddress() async throws {
        let lookup = try await lookup(within: .seconds(5))
        _ = await turn(by: .milliseconds(500), lookup)
        await answer([try Samples.a()], lookup)
        #expect(await turn(by: .zero, lookup) == .milliseconds(700))
        #expect(await turn(by: .milliseconds(100), lookup) == .milliseconds(700))
        await answer([try Samples.a("host", 0x0A00_0003)], lookup)
        _ = await turn(by: .milliseconds(100), lookup)
        #expect(await found(lookup)?.count == 2)
        await lookup.close()
    }

    /// The time limit also holds if the first address arrives just before it.
    @Test func theLimitHoldsAlsoAfterAnAddress() async throws {
        let lookup = try await lookup(within: .seconds(1))
        _ = await turn(by: .milliseconds(950), lookup)
        await answer([try Samples.a()], lookup)
        #expect(await turn(by: .zero, lookup) == .seconds(1))
        await lookup.close()
    }

    /// A look-up without a link ends at once, with no addresses.
    @Test func withoutALinkThereIsNothingToWaitFor() async throws {
        let question = HostQuestion(id: 7, name: "host.local")
        let lookup = try #require(LinkLookup(question, within: .seconds(5), clock: clock))
        await lookup.begin(on: [])
        #expect(await found(lookup) == [])
        await lookup.close()
    }
}
