/// A browse or a publication, on the thread of its loop.
protocol LibrarySession: Actor {
    /// Makes its first references.
    func begin()

    /// Tells once more how it stands: a call that the daemon did not answer has ended.
    func reportAgain()

    /// Frees every reference. Nothing happens afterwards.
    func end()
}
