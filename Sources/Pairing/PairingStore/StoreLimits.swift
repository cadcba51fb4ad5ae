internal import GatewayProtocol

/// The limits of what the store keeps. Data from a gateway is untrusted, and may be endless.
///
/// Names and emoji are truncated, and endpoints beyond the limit are left out; anything else that exceeds its limit is
/// refused with `invalid`.
package enum StoreLimits {
    /// Pairings, those in the bin included.
    package static let pairings = 4_096
    /// Names that the user has given to gateways.
    package static let aliases = 256
    /// Bots of one pairing.
    package static let bots = 1_024
    /// Credentials of one pairing, those in the bin included.
    package static let credentials = 1_024
    /// Endpoints of one pairing.
    package static let endpoints = 16
    /// Scopes of one credential.
    package static let scopes = 64
    /// Bytes of a name, as UTF-8.
    package static let nameBytes = 256
    /// Bytes of an emoji, as UTF-8.
    package static let emojiBytes = 64
    /// Bytes of any other text, such as a URL, as UTF-8.
    package static let textBytes = 2_048
    /// Bytes of a secret.
    package static let secretBytes = 16_384
}

extension StoredPairing {
    /// Returns this pairing as it is stored: with its names truncated, and everything else within ``StoreLimits``.
    func bounded() throws(StoreError) -> StoredPairing {
        var result = self
        result.name = name.stored(StoreLimits.nameBytes)
        result.ownName = ownName?.stored(StoreLimits.nameBytes)
        result.endpoints = Array(endpoints.prefix(StoreLimits.endpoints))
        result.bots = try bots.bounded()
        try Self.check(gatewayID, "the identifier of a gateway")
        try Self.check(resource, "the path of a WebSocket")
        for url in [remoteURL, connectedURL].compactMap(\.self) { try Self.check(url, "a remote address") }
        if case .certified(let host) = trust { try Self.check(host, "a host name") }
        guard credentials.count <= StoreLimits.credentials else {
            throw .tooMany("credentials", credentials.count, StoreLimits.credentials)
        }
        for credential in credentials { try credential.check() }
        guard Set(credentials.map(\.id)).count == credentials.count else {
            throw StoreError(.invalid, expected: "credentials that differ", found: "one identifier twice")
        }
        return result
    }

    fileprivate static func check(_ text: String, _ what: String) throws(StoreError) {
        // SQLite ends a text at its first NUL.
        guard text.utf8.count <= StoreLimits.textBytes, !text.utf8.contains(0) else {
            let expected = "\(what) of at most \(StoreLimits.textBytes) bytes without NUL"
            throw StoreError(.invalid, expected: expected, found: "\(text.utf8.count) bytes")
        }
    }
}

extension [StoredBot] {
    /// Returns these bots as they are stored: with their names and emoji truncated.
    func bounded() throws(StoreError) -> [StoredBot] {
        guard count <= StoreLimits.bots else { throw .tooMany("bots", count, StoreLimits.bots) }
        guard Set(map(\.id)).count == count else {
            throw StoreError(.invalid, expected: "bots that differ", found: "one identifier twice")
        }
        return map { bot in
            var result = bot
            result.name = bot.name.stored(StoreLimits.nameBytes)
            result.emoji = bot.emoji?.stored(StoreLimits.emojiBytes)
            result.accentColor = bot.accentColor?.stored(StoreLimits.emojiBytes)
            return result
        }
    }
}

extension StoredCredential {
    /// Checks that this credential is within the limits.
    func check() throws(StoreError) {
        guard bots.count <= StoreLimits.bots else { throw .tooMany("bots", bots.count, StoreLimits.bots) }
        guard scopes.count <= StoreLimits.scopes else { throw .tooMany("scopes", scopes.count, StoreLimits.scopes) }
        // The next secret's generation is one more.
        guard (0..<Int.max).contains(generation) else {
            throw StoreError(.invalid, expected: "a generation that can grow", found: "\(generation)")
        }
        try StoredPairing.check(deviceID, "the identifier of a device")
        for scope in scopes { try StoredPairing.check(scope, "a scope") }
    }
}

extension String {
    /// Returns the text as a name is stored: without NUL, at which SQLite would end it, and truncated.
    func stored(_ limit: Int) -> String { filter { $0 != "\0" }.cut(toBytes: limit) }
}

extension StoreError {
    static func tooMany(_ what: String, _ count: Int, _ limit: Int) -> StoreError {
        StoreError(.invalid, expected: "at most \(limit) \(what)", found: "\(count)")
    }
}
