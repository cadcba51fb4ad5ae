internal import GatewayProtocol

/// A link as the gateway shows it to its operator, for the next device.
struct Invitation: Hashable, Sendable {
    let link: String

    /// The milliseconds for which its code can be used; `nil` if it has none.
    let rest: Int?

    /// The name of the device that has paired with it; `nil` if none has.
    let user: String?
}

extension GatewayState {
    /// Returns the link for the next device, with another code if that of now has been used or is about to end; `nil` if there
    /// is no link to this gateway.
    mutating func invitation(
        at time: GatewayTime,
        using generator: inout some RandomNumberGenerator
    ) -> Invitation? {
        guard let link else { return nil }
        guard demandsPairingCode else { return Invitation(link: link.text(code: nil), rest: nil, user: nil) }
        let code: PairingCode
        if let known = pairingCode, !known.isDue(at: time) {
            code = known
        } else {
            code = PairingCode(at: time, using: &generator)
            pairingCode = code
        }
        let user = code.usedBy.map { id in pairings.first { $0.deviceID == id }?.deviceName ?? id }
        return Invitation(link: link.text(code: code.secret), rest: code.rest(at: time), user: user)
    }
}
