/// The part of an ``EventLoop`` that waits: for descriptors and deadlines of its own, or in the poll loop of a library.
///
/// All of it is called on the loop's thread, which holds the poller until it ends.
package protocol EventPoller: Sendable {
    /// Prepares the first turn: from now on ``LoopMailbox/runItems()`` runs when ``LoopMailbox/wakeupDescriptor`` can be
    /// read.
    func start(_ mailbox: LoopMailbox)

    /// Waits until there is something to do, and does it. Where it cannot wait, it leaves that to
    /// ``LoopMailbox/waitAfterFailure()`` and runs the items: actors live on the thread, and whoever waits for one would wait
    /// for ever.
    func turn(_ mailbox: LoopMailbox)

    /// Lets go of what belongs to the thread. Nothing is called after it. Where no thread could be started, whoever tried
    /// calls it instead.
    func end()
}
