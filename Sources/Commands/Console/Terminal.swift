/// The size of a terminal, in cells.
struct Terminal: Hashable, Sendable {
    let columns: Int
    let rows: Int
}
