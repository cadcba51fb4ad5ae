/// A small fault that can be switched on.
struct Mutant {
    let number: Int
    let file: String
    let line: Int
    /// The change, for people: "`<` becomes `<=`".
    let change: String
}
