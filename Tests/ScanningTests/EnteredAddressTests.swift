import DNSSD
import Discovery
import GatewayProtocol
import TestSupport
import Testing

@testable import Scanning

/// The gateways that a program enters by their addresses.
@Suite struct EnteredAddressTests {
    private let scanner = GatewayScanner(
        browser: Browser(BrowserConfiguration(types: [.openClaw]), backend: FakeBackend())
    )

    private var endpoints: [Endpoint] { get async { await scanner.manualGateways.flatMap(\.endpoints) } }

    /// An address is asked from the start of the run, once however often it is added, until it is removed.
    @Test func anAddressIsEnteredAndRemoved() async throws {
        let address = try ProbeAddress("10.0.0.1:3000")
        try await scanner.add(address)
        try await scanner.add(address)
        #expect(await endpoints == [Samples.endpoint(1)])
        try await scanner.add(ProbeAddress(orHost: "10.0.0.2"))
        #expect(await endpoints.count == 1 + GatewayDialect.usualPorts.count)
        await scanner.remove(address)
        #expect(await endpoints.allSatisfy { $0.address == Samples.address(2) })
        await scanner.remove(try ProbeAddress(orHost: "10.0.0.2"))
        #expect(await endpoints.isEmpty)
    }

    /// What two addresses lead to is asked until both are removed.
    @Test func whatIsEnteredTwiceIsWantedTwice() async throws {
        let (one, other) = (try ProbeAddress("[2001:db8::1]:3000"), try ProbeAddress("[2001:db8:0::1]:3000"))
        try #require(one != other)
        try await scanner.add(one)
        try await scanner.add(other)
        await scanner.remove(one)
        #expect(await !endpoints.isEmpty)
        await scanner.remove(other)
        #expect(await endpoints.isEmpty)
    }

    /// An address that is removed while its name is looked up is not entered afterwards.
    @Test func whatIsRemovedMeanwhileStaysRemoved() async throws {
        let address = try ProbeAddress("10.0.0.1:3000")
        async let adding: Void = scanner.add(address)
        while await scanner.lookups[address] == nil, await endpoints.isEmpty { await Task.yield() }
        await scanner.remove(address)
        try await adding
        #expect(await endpoints.isEmpty)
    }

    /// An address that leads nowhere is said to be so, and nothing is asked.
    @Test func anAddressThatLeadsNowhereIsAProblem() async throws {
        let address = try ProbeAddress("[fe80::1%no-such0]:3000")
        await #expect(throws: ProbeAddressProblem.self) { try await scanner.add(address) }
        #expect(await endpoints.isEmpty)
    }
}
