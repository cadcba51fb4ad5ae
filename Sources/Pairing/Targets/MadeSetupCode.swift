package import GatewayProtocol

/// A setup code that an OpenClaw gateway has made for another device.
package struct MadeSetupCode: Sendable {
    /// The rights that it opens.
    package enum Access: String, Sendable {
        case full
        case limited
    }

    /// The longest time for which a code that names no end can be valid, in milliseconds.
    private static let life = 600_000

    /// The request that makes one.
    package static let method = "device.pair.setupCode"

    package let code: SetupCode
    package let access: Access

    /// Reads the answer of a gateway.
    ///
    /// - Parameters:
    ///   - payload: The answer.
    ///   - wanted: The rights that were asked for. A code that opens more is refused.
    package init(_ payload: JSONValue?, wanted: Access) throws(CallProblem) {
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

    /// Returns the parameters of the request.
    ///
    /// - Parameters:
    ///   - wanted: The rights that the code is to open.
    ///   - url: The address at which another device finds the gateway.
    package static func params(_ wanted: Access, url: String) -> JSONValue {
        var params: [String: JSONValue] = ["publicUrl": .string(url)]
        if wanted == .limited { params["bootstrapProfile"] = "limited" }
        return .object(params)
    }

    /// Returns the end of the code in milliseconds since the beginning of 1970.
    ///
    /// - Parameter now: The time at which it was made.
    package func end(madeAt now: Int) -> Int { code.expiresAt ?? now + Self.life }
}

extension StoredPairing {
    /// Returns a setup code of the gateway: if that is recognized by its certificate, one that names it; any other code as it is.
    package func naming(_ code: Secret) -> Secret {
        guard dialect == .openClaw, case .pinned(let leaf) = trust else { return code }
        return (try? SetupCode(parsing: code))?.naming(leaf).text ?? code
    }
}
