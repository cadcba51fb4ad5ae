/// A publication of one engine.
struct PublicationID: Hashable, Sendable, Comparable {
    let number: Int

    static func < (lhs: PublicationID, rhs: PublicationID) -> Bool { lhs.number < rhs.number }
}
