internal import GatewayProtocol

/// The decision with which token to ask, and when to renew it. A value.
///
/// The access token is in memory alone. It is renewed before it ends, and once after the server has refused it; one that is
/// refused right after that ends the attempt, so that a server that refuses for ever is not asked for ever.
struct CloudAccess: Hashable, Sendable {
    enum Action: Hashable, Sendable {
        /// Send the request with this token.
        case send(Secret)
        /// Renew the session, and ask again.
        case renew
        /// The attempt has failed.
        case giveUp
    }

    /// The time by which a token is renewed before it ends.
    static let margin = Duration.seconds(30)

    private var token: Secret?
    private var end: ContinuousClock.Instant?
    private var isRenewed = false

    /// Begins an attempt.
    mutating func begin() { isRenewed = false }

    /// Returns what to do for a request.
    func request(now: ContinuousClock.Instant) -> Action {
        guard let token, let end, now < end || isRenewed else { return isRenewed ? .giveUp : .renew }
        return .send(token)
    }

    /// Takes in that the server does not take the token.
    mutating func refuse() -> Action {
        token = nil
        return isRenewed ? .giveUp : .renew
    }

    /// Takes a session that was renewed or begun, and whose new token is in the store.
    mutating func take(_ session: CloudSession, now: ContinuousClock.Instant) {
        token = session.accessToken
        end = now + session.lifetime - Self.margin
        isRenewed = true
    }

    /// Forgets the token.
    mutating func forget() { (token, end) = (nil, nil) }
}
