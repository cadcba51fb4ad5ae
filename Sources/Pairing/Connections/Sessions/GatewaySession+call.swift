internal import GatewayClient
package import GatewayProtocol

/// The reason why a request to a gateway has no answer.
package struct CallProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for people, without a full stop.
    package let description: String

    /// Indicates whether the gateway may have read the request all the same.
    package let mayHaveArrived: Bool

    package init(_ description: String, mayHaveArrived: Bool = false) {
        // Words of a gateway may end with one.
        self.description = String(description.hasSuffix(".") ? description.dropLast() : description[...])
        self.mayHaveArrived = mayHaveArrived
    }

    /// Makes it from what a session throws.
    package init(_ error: any Error) {
        let isUnsent = (error as? GatewayConnectionError).map { [.busy, .notUnderstood].contains($0.code) } ?? false
        let reason = (error as? GatewayConnectionError)?.message ?? (error as? SessionEnd)?.message ?? "\(error)"
        self.init(reason, mayHaveArrived: !isUnsent)
    }
}

extension GatewaySession {
    /// Sends a request, and waits for its answer: as ``request(_:params:timeout:)``, with one kind of error.
    package func call(
        _ method: String,
        _ params: JSONValue,
        within limit: Duration
    ) async throws(CallProblem) -> GatewayResponse {
        do {
            return try await request(method, params: params, timeout: limit)
        } catch {
            throw CallProblem(error)
        }
    }
}
