internal import Agent
internal import Console
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// Links with setup codes of an OpenClaw gateway at which this device is an owner.
struct SetupCodes: Sendable {
    let store: PairingStore
    let pairing: StoredPairing

    /// The pause between two looks at the devices that a gateway knows.
    private static let lookInterval = Duration.seconds(2)

    /// The time that the gateway has to list its devices.
    private static let limit = Duration.seconds(5)

    /// Makes a link with a setup code, if the gateway gives one.
    ///
    /// - Parameter access: The rights that the code is to open.
    /// - Returns: The link, and the devices that the gateway knew before; `nil` if it did not tell them.
    func link(opening access: MadeSetupCode.Access) async throws -> (link: LinkReport, before: KnownDevices?) {
        try await withRadar { radar in
            // The code is of use without, and the other way round not.
            let before = await devices(by: radar)
            return (try await radar.link(to: pairing.id, opening: access), before)
        }
    }

    /// Waits until a device comes to the gateway, or a code has expired.
    ///
    /// - Parameters:
    ///   - before: The devices that it knew before the code was made.
    ///   - expiry: The time at which the code expires.
    func newcomer(since before: KnownDevices, until expiry: Timestamp) async -> LinkUse {
        do {
            return try await withRadar { radar in
                await LinkUse.wait(until: expiry, every: Self.lookInterval) {
                    guard let now = await devices(by: radar) else { return .unanswered }
                    return now.newcomer(since: before).map { .end(.came($0)) } ?? .nothing
                }
            }
        } catch let failure as CommandFailure where failure.status == .cancelled {
            return .unused
        } catch {
            return .unknown
        }
    }

    private func devices(by radar: any Radar) async -> KnownDevices? {
        let answer = try? await radar.call("device.pair.list", .object([:]), at: pairing.id, within: Self.limit)
        return KnownDevices(try? answer?.outcome.get())
    }

    /// Runs operations by the agent of this user, and otherwise with a session for that moment.
    private func withRadar<Value: Sendable>(
        _ body: @escaping @Sendable (any Radar) async throws -> Value
    ) async throws -> Value {
        let radar = AgentOption.radar(else: InProcessRadar(store, version: CommandLineTool.version))
        if radar is AgentRadar { return try await body(radar) }
        return try await MomentarySessions(store: store, pairings: [pairing]).run { try await body($0) }
    }
}
