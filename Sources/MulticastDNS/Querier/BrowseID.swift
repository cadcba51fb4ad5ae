/// One browse that is going on.
struct BrowseID: RawRepresentable, Hashable, Sendable, Comparable {
    let rawValue: Int

    static func < (lhs: BrowseID, rhs: BrowseID) -> Bool { lhs.rawValue < rhs.rawValue }
}
