import ArgumentParser
import GatewayProtocol
import ReferenceGateway
import Testing

@testable import Commands
@testable import reference_gateway

@Suite struct GatewayCommandTests {
    /// A gateway is advertised if it listens on all addresses of the host, so that other hosts reach it at any of them,
    /// and its dialect has a service type. `--force` overrides the first condition, `--type` the second one, and
    /// `--no-advertise` both.
    @Test(arguments: [
        ([], true), (["--host", "::1"], true), (["--host", "0.0.0.0"], false), (["--host", "::"], false),
        (["--host", "192.168.1.5"], true), (["--force"], false), (["--host", "::", "--no-advertise"], true),
        (["--host", "::", "--dialect", "clawline"], true),
        (["--host", "::", "--dialect", "clawline", "--type", "_x._tcp"], false),
    ])
    func isAdvertisedWhereOthersReachIt(arguments: [String], hasReason: Bool) throws {
        let reason = try GatewayCommand.parse(arguments).reasonNotToAdvertise
        #expect((reason != nil) == hasReason)
    }

    /// The earlier name of the OptaPlus dialect, `design`, is still accepted, because existing command lines use it.
    @Test(arguments: ["design", "optaplus"])
    func theEarlierNameOfTheOptaPlusDialectIsRead(name: String) throws {
        #expect(try GatewayCommand.parse(["--dialect", name]).dialect == .optaplus)
    }

    /// Options override the state that was stored by an earlier run; everything else of that state is kept.
    @Test func optionsOverrideTheStoredState() throws {
        let first = try GatewayCommand.parse(["--name", "Home"]).initialState(kept: nil)
        #expect(first.name == "Home")
        #expect(first.bots.count == 1)
        let again = try GatewayCommand.parse(["--bot", "a=Ada:🦞", "--bot", "b"]).initialState(kept: first)
        #expect(again.fingerprint == first.fingerprint)
        #expect(again.name == "Home")
        #expect(again.bots.map(\.name) == ["Ada", "b"])
        #expect(again.bots.map(\.emoji) == ["🦞", nil])
    }

    @Test(arguments: [
        ["--bot", "a", "--bot", "a"], ["--bot", "=x"], ["--bot", "a="], ["--bot", "a=x:"], ["--name", ""],
        ["--bot", "a", "--bots", "b.json"], ["--host", "localhost"], ["--dialect", "x"], ["--misbehave", "x"],
    ])
    func invalidOptionsAreRefused(arguments: [String]) {
        #expect(throws: (any Error).self) { try GatewayCommand.parse(arguments) }
    }
}
