import DNSSD
import GatewayProtocol
import Logging
import ReferenceGateway
import Synchronization
import Testing

@testable import Pairing

extension PairingCoordinatorTests {
    /// A provider counts the requests of a device, whatever address they come to: so does the device.
    @Test func theAddressesOfAProviderCountTogether() async throws {
        let said = Mutex<[String]>([])
        let logger = Logger(label: "test") { _ in HearingLogHandler { text in said.withLock { $0.append(text) } } }
        try await with(.clawline, at: "0.0.0.0", logger: logger) { house in
            let states = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 1...8 {
                    let address = try #require(IPAddress("127.0.0.\(number)"))
                    let place = Endpoint(address: address, port: house.server.endpoint.port)
                    group.addTask {
                        let last = Mutex("")
                        _ = try? await house.coordinator.pair(PairingTarget(place: .endpoints([place]))) { state in
                            last.withLock { if !state.isFinal { $0 = state.name } }
                            switch state {
                            case .confirming: return .confirm(PairingConsent())
                            case .notReady: return .cancel
                            default: return nil
                            }
                        }
                        return last.withLock { $0 }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(states.count { $0 == "notReady" } == 3, "\(states)")
        }
        let log = said.withLock { $0 }
        // It grants the first request, and refuses a second token to a device that it knows.
        #expect(log.count { $0.contains("paired device") } == 1, "\(log)")
        #expect(log.count { $0.contains("is paired already as") } == 4, "\(log)")
        #expect(!log.contains { $0.contains("TOO OFTEN") }, "\(log)")
    }
}
