internal import GatewayProtocol

/// The time for which this device has been waiting for the approval of a gateway's operator, and what a further demand
/// for it means.
struct ApprovalWait: Sendable {
    /// The time in milliseconds for which a gateway keeps a request. Some gateways count it from the first request
    /// even if that is repeated, so an identifier that changes after that time does not mean a rejection. It is a
    /// little less than five minutes, since the request was made before its identifier was known here.
    static let requestLife = 285_000

    /// The least time between two requests, however impatient the user is.
    static let leastPause = Duration.seconds(1)

    private let pace: ApprovalPace

    /// The time since which an approval has been awaited, whatever the request; `nil` before that.
    private var since: Int?

    init(pace: ApprovalPace) {
        self.pace = pace
    }

    /// Returns the approval that is awaited from now on; `nil` if the operator has rejected the one before, which a
    /// device is not told: there is then another request, although the one before would still live.
    ///
    /// - Parameters:
    ///   - refusal: The demand for an approval.
    ///   - before: The approval that has been awaited; `nil` if this is the first demand.
    ///   - time: The time in milliseconds since 1970.
    mutating func approval(_ refusal: SessionRefusal, after before: PairingApproval?, at time: Int) -> PairingApproval?
    {
        since = since ?? time
        var approval = PairingApproval(refusal: refusal, since: time, lastConfirmed: time, nextRequest: time)
        guard let before else { return approval }
        if refusal.requestID == before.requestID || refusal.requestID == nil {
            approval = before
            approval.lastConfirmed = time
        } else if time - before.since >= Self.requestLife || before.requestID == nil {
            approval.isRenewed = before.requestID != nil
        } else {
            return nil
        }
        return approval
    }

    /// Returns the pause before the next request.
    ///
    /// - Parameters:
    ///   - time: The time in milliseconds since 1970.
    ///   - share: The place of the pause in its range, from 0 to 1.
    func pause(at time: Int, share: Double) -> Duration {
        pace.pause(after: .milliseconds(max(time - (since ?? time), 0)), share: share)
    }
}
