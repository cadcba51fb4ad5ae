/// The subject of a claim to names: this host, or a publication.
enum ClaimKey: Hashable, Sendable, Comparable {
    case host
    case publication(PublicationID)

    /// The host first: what is published points to it.
    static func < (lhs: ClaimKey, rhs: ClaimKey) -> Bool {
        switch (lhs, rhs) {
        case (.host, .publication): true
        case (.publication(let left), .publication(let right)): left < right
        case (.host, .host), (.publication, .host): false
        }
    }
}
