/// How large a terminal is, in cells.
struct Terminal: Hashable, Sendable {
    let columns: Int
    let rows: Int
}
