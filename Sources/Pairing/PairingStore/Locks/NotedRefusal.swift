package import GatewayProtocol

/// A refusal of a session by its gateway, as it stands in a ``SessionNote``: without any text of the gateway.
package struct NotedRefusal: Hashable, Sendable {
    /// The word with which its line begins.
    private static let word = "refusal"

    /// The reason.
    package let reason: SessionRefusal.Reason

    /// The identifier of the request that somebody must approve; `nil` if there is none.
    package let requestID: String?

    /// The program with which the operator of the gateway approves it.
    package let operatorTool: SessionRefusal.OperatorTool

    /// The version of the protocol that the gateway speaks, where it reports one because ours differs.
    package let expectedProtocol: Int?

    /// The time since which the gateway refuses for this reason, in milliseconds since 1970.
    package let since: Int

    /// The time at which it is asked again, in milliseconds since 1970; `nil` if it is not.
    package let until: Int?

    /// Creates the note of a refusal.
    ///
    /// - Parameters:
    ///   - refusal: The refusal.
    ///   - since: The time since which the gateway refuses for this reason, in milliseconds since 1970.
    ///   - until: The time at which it is asked again; `nil` if it is not.
    package init(_ refusal: SessionRefusal, since: Int, until: Int? = nil) {
        self.reason = refusal.reason
        self.requestID = refusal.requestID
        self.operatorTool = refusal.operatorTool
        self.expectedProtocol = refusal.expectedProtocol
        self.since = since
        self.until = until
    }

    /// Reads a line of a note; `nil` if it is of another form, or of a reason that this version does not know.
    init?(line: Substring) {
        let parts = line.split(separator: " ").map(String.init)
        guard parts.count == 7, parts[0] == Self.word, let reason = SessionRefusal.Reason(rawValue: parts[1]),
            let tool = SessionRefusal.OperatorTool(rawValue: parts[2]), let since = Int(parts[3])
        else { return nil }
        self.reason = reason
        self.operatorTool = tool
        self.since = since
        self.until = Int(parts[4])
        self.expectedProtocol = Int(parts[5])
        self.requestID = SessionRefusal.isRequestID(parts[6]) ? parts[6] : nil
    }

    /// The line of a note, without a line feed.
    var line: String {
        let numbers = [since, until, expectedProtocol].map { $0.map(String.init) ?? "-" }
        return ([Self.word, reason.rawValue, operatorTool.rawValue] + numbers + [requestID ?? "-"])
            .joined(separator: " ")
    }

    /// Returns the refusal of a gateway of a dialect, which got the token of the pairing.
    package func refusal(of dialect: GatewayDialect) -> SessionRefusal {
        SessionRefusal(
            dialect: dialect,
            reason: reason,
            credential: .deviceToken,
            requestID: requestID,
            expectedProtocol: expectedProtocol,
            operatorTool: operatorTool
        )
    }
}
