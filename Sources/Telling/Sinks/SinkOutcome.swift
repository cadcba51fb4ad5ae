/// What has become of an attempt to deliver a message. A value.
package enum SinkOutcome: Hashable, Sendable {
    /// It has arrived, as far as the sink can tell; with its answer, for people.
    case delivered(String)

    /// It has not arrived, for this reason, and is to be tried again: not before this time, if the sink says so.
    case failed(String, retryAfter: Duration?)

    /// It will never be taken, for this reason.
    case refused(String)
}
