import CoreMetrics
import GatewayProtocol
import MetricsTestKit
import TestSupport
import Testing

@testable import Pairing

extension ConnectionsTests {
    /// The metrics show the number of sessions in each state, the number of attempts and reconnects, and the time of
    /// each outage.
    @Test func sessionsAndTheirLossesAreCounted() async throws {
        let metrics = TestMetrics()
        var outage = Duration.zero
        func sessions(_ state: String) throws -> Double {
            try metrics.expectMeter("clawradar_sessions", [("state", state)]).lastValue ?? 0
        }
        try await withMetricsFactory(metrics) {
            try await running { connections in
                var attempts = dialer.makeAttempts()
                let first = try #require(await attempts.next())
                #expect(try await first.connect(.leaf(pin)) != nil)
                await wait(for: connections) { $0.isConnected }
                #expect(try sessions("connected") == 1)
                #expect(try sessions("stopped") == 0)
                try await settleMap(of: connections)

                first.fail()
                await wait(for: connections) { if case .waiting = $0 { true } else { false } }
                #expect(try sessions("connected") == 0)
                #expect(try sessions("waiting") == 1)
                let due = try #require(await connections.schedule.deadlines[credential])
                outage = due - clock.now
                clock.turn(by: outage)
                let second = try #require(await attempts.next())
                #expect(try await second.connect(.leaf(pin)) != nil)
                await wait(for: connections) { $0.isConnected }
            }
        }
        #expect(try metrics.expectCounter("clawradar_session_attempts_total").totalValue == 2)
        #expect(try metrics.expectCounter("clawradar_session_reconnects_total").totalValue == 1)
        let measured = try metrics.expectTimer("clawradar_session_outage_seconds").values
        let time = Duration.nanoseconds(try #require(measured.first))
        // The time is converted to a floating-point number of seconds and back.
        #expect(measured.count == 1 && abs((time - outage) / .microseconds(1)) < 1)
        #expect(try sessions("connected") == 0, "the sessions end with the run")
    }
}
