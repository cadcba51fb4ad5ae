import Advertising
import ArgumentParser
import DNSSD
import GatewayClient
import GatewayProtocol
import Testing

@testable import Commands
@testable import Console

@Suite struct AdvertiseTests {
    private static func strings(_ arguments: [String]) throws -> [String] {
        let command = try AdvertiseCommand.parse(["--port", "3000", "--name", "Home"] + arguments)
        return try command.advertisement().txt.strings.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The entries of the contract come first, in a fixed order, and then those of `--txt` in the order in which they
    /// were given.
    @Test func txtEntriesAreInFixedOrder() throws {
        let strings = try Self.strings([
            "--txt", "k=v=w", "--ver", "3", "--txt", "flag", "--bots", "2", "--fp", "abc", "--txt", "empty=",
        ])
        #expect(strings == ["fp=abc", "name=Home", "bots=2", "ver=3", "k=v=w", "flag", "empty="])
    }

    @Test(arguments: [
        ["--txt", "NAME=x"], ["--txt", "fp=x"], ["--txt", "a=1", "--txt", "A=2"],
        ["--txt", "a=\(String(repeating: "x", count: 254))"], ["--txt", "ä=1"],
    ])
    func wrongEntriesAreUsageErrors(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try Self.strings(arguments) }
        #expect(error.map { AdvertiseCommand.exitCode(for: $0) } == .usage)
    }

    @Test func typeDefaultsToOpenClaw() throws {
        #expect(try AdvertiseCommand.parse(["--port", "1"]).advertisement().types == [.openClaw])
        let types = try AdvertiseCommand.parse(["--port", "1", "--type", "_a._tcp,_x,_y"]).advertisement().types
        #expect(types.map(\.description) == ["_a._tcp,_x,_y"])
    }

    @Test func nameDefaultsToTheHostName() throws {
        let name = try AdvertiseCommand.parse(["--port", "1"]).advertisement().name
        #expect((1...63).contains(name.utf8.count) && !name.contains("."))
    }

    // MARK: A gateway that answers for itself

    @Test func theGatewaysAddressSaysWhereAndHowToAsk() throws {
        let command = try AdvertiseCommand.parse([
            "--gateway", "wss://[::1]:18789", "--name", "Studio", "--txt", "k=v", "--force",
        ])
        let loopback = try #require(IPAddress("::1"))
        let configuration = try command.configuration(try #require(command.address), [loopback])
        #expect(configuration.endpoints == [Endpoint(address: loopback, port: 18_789)])
        #expect(configuration.transports == .tlsOnly)
        #expect(configuration.name == "Studio" && configuration.isForced)
        #expect(configuration.additions.string(forKey: "k") == "v")
    }

    /// Options for facts that only the gateway can state truthfully are usage errors together with `--gateway`: the
    /// gateway is asked for these facts.
    @Test(arguments: [
        ["--port", "3000"], ["--fp", "abc"], ["--bots", "3"], ["--ver", "3"], ["--txt", "fp=abc"], ["--name", ""],
    ])
    func optionsThatTheGatewayAnswersAreUsageErrors(arguments: [String]) {
        let error = #expect(throws: (any Error).self) {
            try AdvertiseCommand.parse(["--gateway", "127.0.0.1:3000"] + arguments)
        }
        #expect(error.map { AdvertiseCommand.exitCode(for: $0) } == .usage)
    }

    /// Options that would advertise a service that nobody could use are usage errors. In the first case the address has
    /// a path, which the record of a service cannot express.
    @Test(arguments: [["--gateway", "ws://127.0.0.1:3000/ws"], [], ["--port", "1", "--force"]])
    func unusableAdvertisementsAreUsageErrors(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try AdvertiseCommand.parse(arguments) }
        #expect(error.map { AdvertiseCommand.exitCode(for: $0) } == .usage)
    }

    /// Each state of an advertiser is shown as a message: why the gateway is not advertised and what to do about it, or
    /// as what it is advertised. A further publication is shown as an update.
    @Test func aGatewaysStatesAreTold() throws {
        var text = GatewayPublicationText()
        #expect(text.item(.asking) == nil)
        let address = try #require(IPAddress("192.0.2.1"))
        guard case .warning(let first)? = text.item(.withheld(.notReachable(addresses: [address]))) else {
            Issue.record("a gateway that other hosts cannot reach must be shown as a warning")
            return
        }
        #expect(first.hasPrefix("the gateway is not advertised: other hosts cannot reach it"))
        #expect(first.contains("192.0.2.1") && first.contains("--force"))

        func advertising(_ bots: Int) -> AdvertisingState {
            let facts = AdvertisedFacts(dialect: .optaplus, name: "Home", bots: bots)
            let advertisement = Advertisement(name: "Home", types: [.openClaw], port: 3_000)
            return .advertising(facts, advertisement, .published(name: "Home\u{1B}"))
        }
        #expect(
            text.item(advertising(1))
                == .result(
                    "published \"Home\u{FFFD}\" (optaplus, 1 bot) as _openclaw._tcp on port 3000 (Ctrl-C withdraws it)"
                )
        )
        #expect(text.item(advertising(2)) == .result("updated \"Home\u{FFFD}\" (optaplus, 2 bots)"))
        #expect(
            text.item(.withheld(.noAnswer(.refused)))
                == .warning("the gateway is withdrawn: it does not answer: connection refused. Checking on.")
        )
    }
}
