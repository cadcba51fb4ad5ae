internal import Console
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// A setup code that an OpenClaw gateway has made for another device.
struct MadeSetupCode: Sendable {
    /// The rights that it opens.
    enum Access: String, Sendable {
        case full
        case limited
    }

    /// The longest time for which a code that names no end can be valid, in milliseconds.
    static let life = 600_000

    let code: SetupCode
    let access: Access

    /// Reads the answer of a gateway.
    ///
    /// - Parameters:
    ///   - payload: The answer.
    ///   - wanted: The rights that were asked for. A code that opens more is refused.
    init(_ payload: JSONValue?, wanted: Access) throws(CallProblem) {
        guard let text = payload?["setupCode"]?.secret else {
            throw CallProblem("expected a setup code, found another answer")
        }
        do throws(SetupCode.Problem) {
            code = try SetupCode(parsing: text)
        } catch {
            throw CallProblem("its setup code cannot be used: \(error)")
        }
        guard let access = payload?["access"]?.string.flatMap(Access.init), access == .limited || wanted == .full else {
            throw CallProblem("expected a code with \(wanted.rawValue) rights, found one with others")
        }
        self.access = access
    }
}

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
            var params: [String: JSONValue] = ["publicUrl": .string(url)]
            if wanted == .limited { params["bootstrapProfile"] = "limited" }
            let payload = try await desk.ask("device.pair.setupCode", .object(params), of: owner, connections)
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
