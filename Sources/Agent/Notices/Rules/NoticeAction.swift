package import Reports

/// An action that follows from the facts about watched gateways.
package enum NoticeAction: Hashable, Sendable {
    /// A message goes out.
    case tell(Notice)

    /// A gateway has gone away; the time is that of its first unanswered question, and the ways are those over which it answered
    /// last.
    case outageBegan(Notice.Subject, at: Timestamp, reason: String?, ways: [Way] = [])

    /// A gateway that was gone answers.
    case outageEnded(key: String, at: Timestamp)

    /// A gateway that answers has said since this time that it is not ready.
    case unreadyBegan(Notice.Subject, at: Timestamp, reason: String?)

    /// A gateway that was not ready is, or does not answer any more.
    case unreadyEnded(key: String, at: Timestamp)

    /// Something else has happened to a gateway: a way is lost or back, or something stands in the way of sessions with it.
    case happened(Notice.Subject, Notice.Kind, way: Way? = nil, at: Timestamp)

    /// Nothing is known of gateways in this time, for this reason.
    case unknown(keys: [String], from: Timestamp, to: Timestamp, reason: String)

    /// The wall clock of this host was set while an agent ran: the time between is nobody's.
    case clockSet(from: Timestamp, to: Timestamp)

    /// The memory of a gateway, for an agent that starts again, has changed.
    case remember(Notice.Subject, GatewayMemory)

    /// The messages that count against the limits have changed.
    case rememberLimits(NoticeLimits)

    /// Gateways are known from now on, so that they are not new.
    case learn(keys: [String])

    /// These revocations were told.
    case toldRevoked(ids: [String])

    /// A gateway is not watched any more.
    case forget(key: String)
}
