internal import DNSSD
package import GatewayProtocol

/// A project of the cloud: its address, and the key that says so much as that a request is for it. A value.
package struct CloudProject: Hashable, Sendable {
    /// The address, whose path is not used.
    package let url: WebURL

    /// The publishable key, which is no secret.
    package let key: String

    /// Takes what was checked before; `nil` for what cannot be it.
    init?(url: String, key: String) {
        guard let url = WebURL(url) else { return nil }
        (self.url, self.key) = (url, key)
    }

    /// Reads `https://HOST#KEY`. A fragment is never sent.
    ///
    /// - Throws: The reason why it is none. A key that opens more than the user's own rows is refused: it is the operator's,
    ///   and must be on no device.
    package init(_ text: String) throws(CloudError) {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let url = WebURL(parts[0]), url.target == "/" else {
            throw CloudError(
                "expected the address of a project, such as https://abc.supabase.co#sb_publishable_…, found another text"
            )
        }
        guard url.isSecure || url.isThisHost else {
            throw CloudError(
                "expected an address that begins with https://, found one in clear. Only this host itself is reached so"
            )
        }
        guard parts.count == 2, !parts[1].isEmpty else {
            throw CloudError("expected the publishable key after a #, as in \(url.origin)#sb_publishable_…, found none")
        }
        let key = parts[1]
        guard key.utf8.count <= 2_048, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CloudError("expected a publishable key, found another text")
        }
        let role = Self.role(key)
        guard !key.hasPrefix("sb_secret_"), role != "service_role" else {
            throw CloudError(
                "expected the publishable key, found a secret one: it opens the rows of all users. Take the other one, and renew this one"
            )
        }
        guard key.hasPrefix("sb_publishable_") || role == "anon" else {
            throw CloudError("expected a publishable key, sb_publishable_… or the older anon key, found another one")
        }
        (self.url, self.key) = (url, key)
    }

    /// The role in a key of the older kind, which is a JWT; `nil` if it is none.
    private static func role(_ key: String) -> String? {
        let parts = key.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.url.decode(String(parts[1])) else { return nil }
        return (try? JSONValue(parsing: bytes))?["role"]?.string
    }
}

/// The reason why something of the cloud did not succeed, for people. A value.
package struct CloudError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The consequence for the session.
    package enum Kind: Hashable, Sendable {
        /// It may succeed later.
        case passing
        /// The access token is not taken any more, or not yet.
        case unauthorized
        /// The session has ended: the user has to sign in again.
        case ended
        /// A refusal of what was asked for.
        case refused
    }

    package let kind: Kind
    package let description: String

    /// The time to wait, if the server has asked for it.
    package var pause: Duration?

    package init(_ description: String, _ kind: Kind = .refused, pause: Duration? = nil) {
        (self.kind, self.description, self.pause) = (kind, description, pause)
    }
}
