internal import GatewayProtocol
internal import Pairing

/// The body of a request to rename this device.
struct DeviceChange: Hashable, Sendable {
    /// The new name; `nil` to leave it.
    let name: String?

    /// The new emoji, of which there may be none; `nil` to leave it.
    let emoji: String??

    /// Reads a body.
    init(_ body: [UInt8]) throws(APIProblem) {
        let members = try JSONMembers(body, ["name", "emoji"], such: #"{"name": "Studio"}"#)
        name = try members.member("name", "1 to 64 bytes without invisible characters") { value in
            value.string.flatMap { DeviceIdentity.isName($0) ? $0 : nil }
        }
        let emoji = try members.member("emoji", "one or two visible characters") { value in
            value.string.flatMap { DeviceIdentity.isEmoji($0) ? $0 : nil }
        }
        self.emoji = emoji.map { $0.isEmpty ? nil : $0 }
    }
}
