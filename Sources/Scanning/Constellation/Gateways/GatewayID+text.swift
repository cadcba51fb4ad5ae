package import DNSSD
internal import GatewayProtocol

extension GatewayID: LosslessStringConvertible {
    /// The largest number of bytes that is parsed: a fingerprint and the name of a service or the path of an endpoint,
    /// each byte escaped, and the words between them.
    private static let longestText =
        4 * (GatewayFingerprint.maximumLength + DomainName.maximumWireLength) + GatewayURL.maximumLength + 64

    /// The words with which a candidate begins when it follows the fingerprint that it claims.
    private static let separators = [Array(":service:".utf8), Array(":endpoint:".utf8)]

    /// The identifier as text, unique for each: `fingerprint:abc123`, `service:Home._openclaw._tcp.local`,
    /// `endpoint:10.0.0.1:3000` or `claimant:abc123:service:Home._openclaw._tcp.local`.
    ///
    /// Bytes from the network are escaped as in a domain name (RFC 1035 §5.1), so that different bytes stay different
    /// even where they are not UTF-8. Clean the text with `DisplayText` before a person sees it.
    public var description: String {
        switch form {
        case .fingerprint(let fingerprint): "fingerprint:\(DomainName.escape(fingerprint.bytes))"
        case .candidate(let candidate): Self.text(candidate)
        case .claimant(let fingerprint, let candidate):
            "claimant:\(Self.claimedText(fingerprint)):\(Self.text(candidate))"
        }
    }

    /// Parses a ``description``; `nil` for any other text, and for an address with a scope.
    public init?(_ description: String) {
        self.init(description, interfaces: [])
    }

    /// Parses a ``description``; `nil` for any other text.
    ///
    /// - Parameters:
    ///   - description: The text; the result is `nil` if it is too long.
    ///   - interfaces: The interfaces among which the scope of a link-local address is looked up by its name; one that is
    ///     not among them makes the result `nil`.
    package init?(_ description: String, interfaces: some Sequence<NetworkInterface>) {
        guard description.utf8.count <= Self.longestText else { return nil }
        let bytes = Array(description.utf8)
        let interfaces = Array(interfaces)
        let id: GatewayID?
        if let rest = Self.rest(of: bytes[...], after: "fingerprint:") {
            id = Self.fingerprint(rest).map(GatewayID.fingerprint)
        } else if let rest = Self.rest(of: bytes[...], after: "claimant:") {
            guard let end = Self.separator(in: rest), let claimed = Self.fingerprint(rest[..<end]),
                let candidate = Self.candidate(rest[(end + 1)...], interfaces)
            else { return nil }
            id = .claimant(claimed, candidate)
        } else {
            id = Self.candidate(bytes[...], interfaces).map(GatewayID.candidate)
        }
        // Each identifier has one text only, even where a name could be escaped in several ways.
        guard let id, id.description == description else { return nil }
        self = id
    }

    // MARK: Printing

    private static func text(_ candidate: GatewayCandidate) -> String {
        switch candidate {
        case .service(let instance): "service:\(instance.fullName)"
        case .endpoint(let endpoint): "endpoint:\(endpoint)"
        }
    }

    /// Returns the text of a fingerprint that precedes a candidate. If it contains a word with which a candidate
    /// begins, its colons are escaped too: otherwise its end could not be found.
    private static func claimedText(_ fingerprint: GatewayFingerprint) -> String {
        let text = DomainName.escape(fingerprint.bytes)
        let colon = UInt8(ascii: ":")
        guard separator(in: (Array(text.utf8) + [colon])[...]) != nil else { return text }
        return String(decoding: text.utf8.flatMap { $0 == colon ? Array("\\058".utf8) : [$0] }, as: UTF8.self)
    }

    // MARK: Reading

    private static func rest(of bytes: ArraySlice<UInt8>, after word: String) -> ArraySlice<UInt8>? {
        bytes.starts(with: word.utf8) ? bytes.dropFirst(word.utf8.count) : nil
    }

    /// Returns the index at which a candidate is separated from the text before it.
    private static func separator(in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.first { index in separators.contains { bytes[index...].starts(with: $0) } }
    }

    private static func fingerprint(_ text: ArraySlice<UInt8>) -> GatewayFingerprint? {
        let bytes = try? DomainName.bytes(escaped: String(decoding: text, as: UTF8.self))
        return bytes.flatMap { GatewayFingerprint(bytes: $0) }
    }

    private static func candidate(_ bytes: ArraySlice<UInt8>, _ interfaces: [NetworkInterface]) -> GatewayCandidate? {
        if let rest = rest(of: bytes, after: "service:") {
            return (try? ServiceInstance(fullName: String(decoding: rest, as: UTF8.self))).map(GatewayCandidate.service)
        }
        guard let all = rest(of: bytes, after: "endpoint:") else { return nil }
        let rest = all.prefix { $0 != UInt8(ascii: "/") }
        let path = all[rest.endIndex...]
        let equals = rest.firstIndex(of: UInt8(ascii: "="))
        let name = equals.map { ServerName(String(decoding: rest[..<$0], as: UTF8.self)) }
        guard path.allSatisfy({ (0x21...0x7E).contains($0) }), let colon = rest.lastIndex(of: UInt8(ascii: ":")),
            let port = UInt16(String(decoding: rest[(colon + 1)...], as: UTF8.self))
        else { return nil }
        let resource = String(decoding: path, as: UTF8.self)
        // An IPv6 address is in brackets.
        let start = equals.map { $0 + 1 } ?? rest.startIndex
        guard start <= colon else { return nil }
        let text = String(decoding: rest[start..<colon].filter { $0 != 0x5B && $0 != 0x5D }, as: UTF8.self)
        return IPAddress(text, interfaces: interfaces).map {
            .endpoint(Endpoint(address: $0, port: port, resource: resource, serverName: name ?? nil))
        }
    }
}
