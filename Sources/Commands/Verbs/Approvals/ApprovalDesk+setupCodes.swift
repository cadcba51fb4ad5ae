internal import Console
internal import GatewayProtocol
internal import Pairing
internal import Reports

extension ApprovalDesk {
    /// The pause between two looks at the devices that a gateway knows.
    private static let lookInterval = Duration.seconds(2)

    /// Asks the only gateway of the desk for a setup code.
    ///
    /// - Parameters:
    ///   - wanted: The rights that the code is to open.
    ///   - url: The address at which another device finds the gateway.
    /// - Returns: The code, and the devices that the gateway knew before; `nil` if it did not tell them.
    func setupCode(
        _ wanted: MadeSetupCode.Access,
        url: String
    ) async throws -> (made: MadeSetupCode, before: KnownDevices?) {
        var desk = self
        desk.end = ContinuousClock.now + limit
        return try await desk.run(nil) { [desk] connections in
            guard let owner = desk.admins.first else { throw CallProblem("this device is no owner there") }
            // The code is of use without, and the other way round not.
            let before = try? await desk.ask("device.pair.list", .object([:]), of: owner, connections, share: 0.5)
            let params = MadeSetupCode.params(wanted, url: url)
            let payload = try await desk.ask(MadeSetupCode.method, params, of: owner, connections)
            return (try MadeSetupCode(payload, wanted: wanted), KnownDevices(before))
        }
    }

    /// Waits until a device comes to the only gateway of the desk, or a code has expired.
    ///
    /// - Parameters:
    ///   - before: The devices that it knew before the code was made.
    ///   - expiry: The time at which the code expires.
    func newcomer(since before: KnownDevices, until expiry: Timestamp) async -> LinkUse {
        do {
            return try await run(nil) { connections in
                await LinkUse.wait(until: expiry, every: Self.lookInterval) {
                    guard let owner = admins.first,
                        let payload = try? await ask("device.pair.list", .object([:]), of: owner, connections),
                        let now = KnownDevices(payload)
                    else { return .unanswered }
                    return now.newcomer(since: before).map { .end(.came($0)) } ?? .nothing
                }
            }
        } catch let failure as CommandFailure where failure.status == .cancelled {
            return .unused
        } catch {
            return .unknown
        }
    }
}
