internal import Connections
internal import GatewayProtocol

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
    init(_ payload: JSONValue?, wanted: Access) throws(AdminTrouble) {
        guard let text = payload?["setupCode"]?.secret else {
            throw AdminTrouble("expected a setup code, found another answer")
        }
        do throws(SetupCode.Problem) {
            code = try SetupCode(parsing: text)
        } catch {
            throw AdminTrouble("its setup code cannot be used: \(error)")
        }
        guard let access = payload?["access"]?.string.flatMap(Access.init), access == .limited || wanted == .full else {
            throw AdminTrouble("expected a code with \(wanted.rawValue) rights, found one with others")
        }
        self.access = access
    }
}

extension ApprovalDesk {
    /// Asks the only gateway of the desk for a setup code.
    ///
    /// - Parameters:
    ///   - wanted: The rights that the code is to open.
    ///   - url: The address at which another device finds the gateway.
    func setupCode(_ wanted: MadeSetupCode.Access, url: String) async throws -> MadeSetupCode {
        try await run(nil) { connections in
            guard let owner = admins.first else { throw AdminTrouble("this device is no owner there") }
            var params: [String: JSONValue] = ["publicUrl": .string(url)]
            if wanted == .limited { params["bootstrapProfile"] = "limited" }
            let payload = try await ask("device.pair.setupCode", .object(params), of: owner, connections)
            return try MadeSetupCode(payload, wanted: wanted)
        }
    }
}
