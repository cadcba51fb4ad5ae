import DNSMessages
import DNSSD
import EventLoops
import TestSupport
import Testing

@testable import OneShotQuery

/// The look-up of a host, by a clock that is turned, on a link where nobody is.
@Suite(.timeLimit(.minutes(1))) struct HostLookupTests {
    private let clock = TurnedClock()
    private let start: ContinuousClock.Instant

    /// The loopback interface, which every host has; packets to the group go nowhere there.
    private let link: Link

    init() throws {
        start = clock.now
        let loopback = try #require(HostInterface.all.first { $0.flags.contains(.loopback) })
        link = Link(
            interface: loopback.interface,
            prefixes: [Link.Prefix(address: .v4(IPv4Address(bits: 0x7F00_0001)), length: 8)]
        )
    }

    private func lookup(within limit: Duration) async throws -> HostLookup {
        let lookup = try #require(HostLookup("host.local", within: limit, clock: clock))
        await lookup.begin(on: [link])
        return lookup
    }

    /// Turns the clock, and has the look-up notice that.
    private func turn(by time: Duration, _ lookup: HostLookup) async -> Duration {
        clock.turn(by: time)
        await lookup.turn()
        return await lookup.deadline - start
    }

    private func answer(_ records: [DNSRecord], _ lookup: HostLookup) async {
        let message = DNSMessage(id: await lookup.question.id, flags: .authoritativeResponse, answers: records)
        let source = SocketAddress(.v4(IPv4Address(bits: 0x7F00_0002)), port: MulticastGroup.port)
        await lookup.receive(message.encoded().bytes, from: source, on: link)
    }

    private func found(_ lookup: HostLookup) async -> [IPAddress]? {
        var found: [IPAddress]?
        for await addresses in lookup.answers { found = addresses }
        return found
    }

    /// RFC 6762 §5.2: the waits double. The last one is cut short by the end.
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

    /// The first address leaves the other family 200 ms, and a later one does not prolong that.
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

    /// However late the first address comes, it does not prolong the look-up.
    @Test func theLimitHoldsAlsoAfterAnAddress() async throws {
        let lookup = try await lookup(within: .seconds(1))
        _ = await turn(by: .milliseconds(950), lookup)
        await answer([try Samples.a()], lookup)
        #expect(await turn(by: .zero, lookup) == .seconds(1))
        await lookup.close()
    }

    @Test func withoutALinkThereIsNothingToWaitFor() async throws {
        let lookup = try #require(HostLookup("host.local", within: .seconds(5), clock: clock))
        await lookup.begin(on: [])
        #expect(await found(lookup) == [])
        await lookup.close()
    }
}
