import DNSSD
import TestSupport
import Testing

@testable import Scanning

/// A map that nobody asks for rows.
@Suite struct ServicesAloneTests {
    /// It tells of services as a map with rows does, whatever happens to them.
    @Test func servicesAreAsInAMapWithRows() {
        var random = SeededGenerator.forFuzzing("services alone")
        for _ in 0..<TestCases.count(50) {
            let limits = BotMapLimits(candidates: 6)
            var (whole, alone) = (BotMap(limits: limits), BotMap(limits: limits, showsGateways: false))
            for _ in 0..<200 {
                let event = OrderTests.anyEvent(&random)
                switch event {
                case .serviceFound, .serviceLost: break
                default: continue
                }
                let changes = whole.apply(event)
                let problems = changes.filter { change in
                    guard case .problem(let problem) = change else { return false }
                    return if case .tooManyGateways = problem.kind { true } else { false }
                }
                #expect(alone.apply(event) == problems)
                #expect(alone.serviceChanges == whole.serviceChanges)
                #expect(alone.services == whole.services)
                #expect(alone.gateways.isEmpty)
            }
            for service in alone.services { alone.apply(.serviceLost(service.instance, .withdrawn)) }
            #expect(alone.services.isEmpty)
        }
    }
}
