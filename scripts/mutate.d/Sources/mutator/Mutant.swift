/// A small fault that can be switched on at run time.
struct Mutant {
    let number: Int
    let file: String
    let line: Int
    /// A description of the change for people, such as "`<` becomes `<=`".
    let change: String
}
