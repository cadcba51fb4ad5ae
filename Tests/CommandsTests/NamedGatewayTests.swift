import Constellation
import DNSSD
import GatewayClient
import GatewayProtocol
import Testing

@testable import Commands

/// The target of `probe NAME`.
@Suite struct NamedGatewayTests {
    private static func endpoints(_ name: String, _ events: [BotMapEvent]) throws -> [Endpoint] {
        try NamedGateway.target(name, in: Rows.snapshot(events)).endpoints
    }

    private static func failure(_ name: String, _ events: [BotMapEvent]) throws -> CommandFailure? {
        do throws(CommandFailure) {
            _ = try NamedGateway.target(name, in: Rows.snapshot(events))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["Home", "home", "HOME"])
    func aGatewayIsFoundByItsName(name: String) throws {
        #expect(try Self.endpoints(name, try Rows.mixed()) == [Rows.endpoint()])
    }

    /// Somebody asks because it is none.
    @Test func whatIsNoGatewayIsFoundToo() throws {
        #expect(try Self.endpoints("10.0.0.4:3000", try Rows.mixed()) == [Rows.endpoint(4)])
    }

    /// Anybody can take the name of a gateway: neither is asked, and both are named.
    @Test func whereSeveralHaveOneNameNoneIsAsked() throws {
        let twin = Rows.gateway(fingerprint: "another", name: "Home")
        let events = try Rows.mixed() + [.endpointAdded(Rows.endpoint(9), .local), .probed(Rows.endpoint(9), twin)]
        let failure = try #require(try Self.failure("Home", events))
        #expect(failure.status == .usage)
        #expect(failure.message.contains("10.0.0.2:3000") && failure.message.contains("10.0.0.9:3000"), "\(failure)")
    }

    @Test func whatIsNotThereIsSaid() throws {
        let failure = try #require(try Self.failure("Nobody\u{1B}[2J", try Rows.mixed()))
        #expect(failure.status == .nothingFound)
        #expect(failure.message.contains("Nobody") && !failure.message.contains("\u{1B}"), "\(failure)")
    }

    /// A password with a space in it makes a name of an address.
    @Test func aSecretIsNotRepeated() throws {
        let failure = try #require(try Self.failure("me:my hunter2@studio:1", try Rows.mixed()))
        #expect(failure.message.contains("“…@studio:1”") && !failure.message.contains("hunter2"), "\(failure)")
    }

    /// An address that must not be connected to is not, by its name either.
    @Test func whatIsRefusedIsNotAsked() throws {
        let events: [BotMapEvent] = [
            .endpointAdded(Rows.endpoint(8), .local),
            .probed(Rows.endpoint(8), .nothing(.notAllowed(.ownAddress))),
        ]
        let failure = try #require(try Self.failure("10.0.0.8:3000", events))
        #expect(failure.message.contains("not contacted"), "\(failure)")
    }

    @Test func whatHasNoAddressIsSaid() throws {
        let failure = try #require(try Self.failure("lost", try Rows.mixed()))
        #expect(failure.message.contains("not resolved"), "\(failure)")
    }
}
