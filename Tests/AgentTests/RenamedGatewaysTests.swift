import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Agent

/// A gateway without a fingerprint is known by the name of its service, which its host changes where another record seems to
/// have it.
@Suite struct RenamedGatewaysTests {
    @Test(arguments: [
        ("Home (2)", ["Home"]), ("Home #2", ["Home"]), ("Home (3)", ["Home", "Home (2)"]),
        ("Home #4", ["Home", "Home #2", "Home #3"]), ("Home (2) (2)", ["Home (2)"]), ("Home", []), ("Home (1)", []),
        ("Home (10)", []), (" (2)", []), ("Home(2)", []), ("(2)", []),
    ])
    func aNumberAtTheEndIsUndone(name: String, former: [String]) {
        #expect(RenamedGateways.formerNames(of: name) == former)
    }

    /// What answers under the former name is another gateway, so that this one is new.
    @Test func whatIsThereWasNotRenamed() throws {
        let type = try #require(ServiceType.gatewayTypes.first)
        func id(_ name: String) throws -> GatewayID {
            .candidate(.service(try ServiceInstance(name: name, type: type)))
        }
        let (former, now) = (try id("Home"), try id("Home (2)"))
        #expect(
            RenamedGateways.formerKeys(of: [now], besides: [now]) == [now.description: [former.description]]
        )
        #expect(RenamedGateways.formerKeys(of: [now], besides: [now, former]).isEmpty)
        #expect(RenamedGateways.formerKeys(of: [former], besides: []).isEmpty)
    }
}
