/// The details that a Clawline provider gives when a session begins.
package struct ClawlineSession: Hashable, Sendable {
    /// The identifier of the user whose session it is.
    package let userID: String

    /// The identifier of the session.
    package let sessionID: String

    /// The number of missed messages that follow.
    package let replayCount: Int

    /// Indicates whether some of the missed messages are lost.
    package let isReplayTruncated: Bool

    /// Indicates whether the history starts anew.
    package let isHistoryReset: Bool

    /// Indicates whether the device is an admin at present; `nil` where the provider leaves that to the claims of the token,
    /// as earlier ones do.
    package let isAdmin: Bool?

    /// Creates the details of a session; by default, no message was missed, the history goes on, and
    /// nothing is said of admins.
    package init(
        userID: String,
        sessionID: String,
        replayCount: Int = 0,
        isReplayTruncated: Bool = false,
        isHistoryReset: Bool = false,
        isAdmin: Bool? = nil
    ) {
        self.userID = userID
        self.sessionID = sessionID
        self.replayCount = replayCount
        self.isReplayTruncated = isReplayTruncated
        self.isHistoryReset = isHistoryReset
        self.isAdmin = isAdmin
    }

    init(_ fields: JSONFields) throws(GatewayMessageError) {
        self.userID = try fields.string("userId")
        self.sessionID = try fields.string("sessionId")
        self.replayCount = try fields.optionalInt("replayCount") ?? 0
        self.isReplayTruncated = fields["replayTruncated"]?.bool ?? false
        self.isHistoryReset = fields["historyReset"]?.bool ?? false
        self.isAdmin = fields["isAdmin"]?.bool
    }

    var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "userId": .string(userID), "sessionId": .string(sessionID), "replayCount": .number(JSONNumber(replayCount)),
            "replayTruncated": .bool(isReplayTruncated), "historyReset": .bool(isHistoryReset),
        ]
        fields["isAdmin"] = isAdmin.map(JSONValue.bool)
        return fields
    }
}
