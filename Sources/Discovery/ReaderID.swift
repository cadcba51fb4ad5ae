/// The number of a reader of a browser's changes; never used twice.
struct ReaderID: Hashable, Sendable {
    let rawValue: Int
}
