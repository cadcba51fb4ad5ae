/// The text that a device signs with its Ed25519 key in OpenClaw's `connect`.
///
/// It holds the token that is sent, and is as secret as the token.
package struct OpenClawSignature: Hashable, Sendable {
    /// A version of the text's form.
    package enum Version: String, Hashable, Sendable, CaseIterable {
        /// The form that every gateway with a challenge accepts.
        case v2
        /// The form with platform and device family, since the end of February 2026; older gateways refuse it.
        case v3
    }

    /// The device's identifier: the SHA-256 of its public key, in lower-case hexadecimal digits.
    package var deviceID: String

    /// The identifier of the kind of client, as sent.
    package var clientID: String

    /// The mode of the client, as sent.
    package var clientMode: String

    /// The role that is asked for.
    package var role: String

    /// The scopes that are asked for, in the order in which they are sent.
    package var scopes: [String]

    /// The time of signing in milliseconds since 1970.
    package var signedAt: Int

    /// The token, device token or bootstrap token that is sent; never the password.
    package var token: Secret?

    /// The nonce of the challenge.
    package var nonce: String

    /// The platform, as sent.
    package var platform: String

    /// The device family, where one is sent.
    package var deviceFamily: String?

    /// Creates the values to sign, which have to be those that are sent in `connect`.
    ///
    /// - Parameters:
    ///   - deviceID: The SHA-256 of the public key, in lower-case hexadecimal digits.
    ///   - clientID: The identifier of the kind of client.
    ///   - clientMode: The mode of the client.
    ///   - role: The role that is asked for.
    ///   - scopes: The scopes that are asked for, in order.
    ///   - signedAt: The time of signing in milliseconds since 1970.
    ///   - token: The token, device token or bootstrap token; `nil` with a password or without a credential.
    ///   - nonce: The nonce of the challenge.
    ///   - platform: The platform, which only the third version signs.
    ///   - deviceFamily: The device family, which only the third version signs.
    package init(
        deviceID: String,
        clientID: String,
        clientMode: String,
        role: String,
        scopes: [String],
        signedAt: Int,
        token: Secret?,
        nonce: String,
        platform: String,
        deviceFamily: String? = nil
    ) {
        self.deviceID = deviceID
        self.clientID = clientID
        self.clientMode = clientMode
        self.role = role
        self.scopes = scopes
        self.signedAt = signedAt
        self.token = token
        self.nonce = nonce
        self.platform = platform
        self.deviceFamily = deviceFamily
    }

    /// Returns the bytes to sign: `v2|<device id>|<client id>|<client mode>|<role>|<scopes>|<signed
    /// at>|<token>|<nonce>`, and in the third version `|<platform>|<device family>` after them.
    package func text(_ version: Version) -> [UInt8] {
        let before = [
            version.rawValue, deviceID, clientID, clientMode, role, scopes.joined(separator: ","), "\(signedAt)",
        ].joined(separator: "|")
        var after = [nonce]
        if version == .v3 { after += [platform, deviceFamily ?? ""].map(Self.normalized) }
        let rest = after.joined(separator: "|")
        var text: [UInt8] = []
        // An array that grows leaves copies of its content behind.
        text.reserveCapacity(before.utf8.count + (token?.count ?? 0) + rest.utf8.count + 2)
        text += before.utf8
        text.append(UInt8(ascii: "|"))
        token?.withUnsafeBytes { text += $0 }
        text.append(UInt8(ascii: "|"))
        text += rest.utf8
        return text
    }

    /// Returns a platform or device family as it is signed: trimmed of white space, and with only A–Z put into lower
    /// case.
    static func normalized(_ text: String) -> String {
        var scalars = Substring(text).unicodeScalars
        while let first = scalars.first, isTrimmed(first) { scalars.removeFirst() }
        while let last = scalars.last, isTrimmed(last) { scalars.removeLast() }
        var result = String.UnicodeScalarView()
        for scalar in scalars {
            let isUpper = ("A"..."Z").contains(scalar)
            result.append(isUpper ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar)
        }
        return String(result)
    }

    /// Returns whether a scalar is white space or a line end of ECMAScript (`String.prototype.trim`), which gateways
    /// trim.
    private static func isTrimmed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
        default: false
        }
    }
}
