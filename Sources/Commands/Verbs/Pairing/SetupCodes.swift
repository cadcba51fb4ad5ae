internal import Agent
internal import Console
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// Setup codes of an OpenClaw gateway at which this device is an owner.
struct SetupCodes: Sendable {
    let store: PairingStore
    let pairing: StoredPairing

    /// The pause between two looks at the devices that a gateway knows.
    private static let lookInterval = Duration.seconds(2)

    /// The time that the gateway has to make a code.
    private static let limit = Duration.seconds(10)

    /// A session for that moment: a code passes through no other process.
    private var sessions: MomentarySessions { MomentarySessions(store: store, pairings: [pairing]) }

    /// Asks the gateway for a setup code.
    ///
    /// - Parameters:
    ///   - wanted: The rights that the code is to open.
    ///   - url: The address at which another device finds the gateway.
    /// - Returns: The code, and the devices that the gateway knew before; `nil` if it did not tell them.
    func make(
        _ wanted: MadeSetupCode.Access,
        url: String
    ) async throws -> (made: MadeSetupCode, before: KnownDevices?) {
        let end = ContinuousClock.now + Self.limit
        return try await sessions.run { radar in
            // The code is of use without, and the other way round not.
            let before = await devices(by: radar, within: Self.limit / 2)
            let made = try await radar.setupCode(wanted, of: pairing, url: url, within: end - .now)
            return (made, before)
        }
    }

    /// Waits until a device comes to the gateway, or a code has expired.
    ///
    /// - Parameters:
    ///   - before: The devices that it knew before the code was made.
    ///   - expiry: The time at which the code expires.
    func newcomer(since before: KnownDevices, until expiry: Timestamp) async -> LinkUse {
        do {
            return try await sessions.run { radar in
                await LinkUse.wait(until: expiry, every: Self.lookInterval) {
                    guard let now = await devices(by: radar, within: Self.limit) else { return .unanswered }
                    return now.newcomer(since: before).map { .end(.came($0)) } ?? .nothing
                }
            }
        } catch let failure as CommandFailure where failure.status == .cancelled {
            return .unused
        } catch {
            return .unknown
        }
    }

    private func devices(by radar: InProcessRadar, within limit: Duration) async -> KnownDevices? {
        let answer = try? await radar.call("device.pair.list", .object([:]), at: pairing.id, within: limit)
        return KnownDevices(try? answer?.outcome.get())
    }
}
