package import GatewayProtocol

extension GatewayConversation {
    /// Asks which gateway is at the other end of this very connection, in the OptaPlus dialect. The answer proves
    /// nothing, but one that names another gateway than the intended one is true: nothing secret is to follow it.
    ///
    /// - Parameter timeout: The time to wait for the answer.
    /// - Throws: ``/GatewayProtocol/SessionRefusal`` where the gateway refuses to say, and ``GatewayConnectionError``
    ///   where no answer came, or another one.
    package func discover(timeout: Duration = .seconds(10)) async throws -> DiscoverPayload {
        let response = try await request("gateway.discover", params: .object([:]), timeout: timeout)
        switch response.outcome {
        case .success(let payload):
            do throws(GatewayMessageError) {
                return try DiscoverPayload(json: payload)
            } catch {
                let message = "expected a gateway that says who it is, found another answer: \(error.message)"
                throw GatewayConnectionError(.notUnderstood, message)
            }
        case .failure(let failure):
            throw SessionRefusal(failure, dialect: .optaplus, credential: .none)
        }
    }
}
