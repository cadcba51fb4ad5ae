import DNSSD
import GatewayClient
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

    /// A provider of another version of the protocol is asked for nothing: the user hears at once that an update is required.
    @Test func aProviderOfAnotherVersionIsSentNothing() async throws {
        let said = Mutex<[String]>([])
        let logger = Logger(label: "test") { _ in HearingLogHandler { text in said.withLock { $0.append(text) } } }
        try await with(.clawline, logger: logger, misbehaviour: .otherVersion) { house in
            let isAsked = Mutex(false)
            do throws(PairingError) {
                _ = try await house.coordinator.pair(house.target) { state in
                    if case .confirming = state { isAsked.withLock { $0 = true } }
                    return nil
                }
                Issue.record("expected no pairing")
            } catch {
                #expect(error.refusal?.reason == .protocolMismatch && error.refusal?.expectedProtocol == 2)
                #expect(error.message.contains("expected protocol 1, found protocol 2. Update required"), "\(error)")
            }
            #expect(!isAsked.withLock { $0 })
            // A provider that was updated between the question and the request.
            await #expect(throws: SessionRefusal.self) {
                try await ClawlineVersion.check(at: [house.server.endpoint], transport: .tls(pin: nil))
            }
        }
        let log = said.withLock { $0 }
        #expect(!log.contains { $0.contains("paired device") || $0.contains("asks to pair") }, "\(log)")
    }

    /// The name under which this device asks can be given; it is cut to what the protocol allows.
    @Test(arguments: [nil, "Kitchen", String(repeating: "é", count: 40)])
    func aDeviceAsksUnderTheNameThatIsGiven(name: String?) async throws {
        try await with(.clawline) { house in
            var target = house.target
            target.claimedName = name
            _ = try await house.coordinator.pair(target) { state in
                guard case .confirming = state else { return nil }
                return .confirm(PairingConsent())
            }
            let expected = (name ?? house.store.device.name).cut(toBytes: 64)
            #expect(await house.server.state.pairings.map(\.deviceName) == [expected])
        }
    }
}
