/// The pace at which a request is repeated while it waits for an approval.
///
/// A gateway does not report that its operator has approved a device, so that the device has to ask. People approve at
/// once, and then look whether it has worked, or much later. Requests that wait do not count as failed attempts, of which gateways allow ten a minute.
package struct ApprovalPace: Hashable, Sendable {
    /// The time between two requests at the beginning, drawn at random each time.
    package var first = Duration.milliseconds(1_000) ... .milliseconds(1_500)

    /// The time for which the first pace is kept.
    package var firstTime = Duration.seconds(120)

    /// The time between two requests after that. A gateway keeps a request for five minutes.
    package var later = Duration.seconds(15) ... .seconds(30)

    /// Returns the pause before the next request.
    ///
    /// - Parameters:
    ///   - waited: The time for which an approval has been awaited.
    ///   - share: The place of the pause in its range, from 0 to 1.
    func pause(after waited: Duration, share: Double) -> Duration {
        let range = waited < firstTime ? first : later
        return range.lowerBound + (range.upperBound - range.lowerBound) * share
    }
}
