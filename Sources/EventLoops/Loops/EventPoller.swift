/// The part of an ``EventLoop`` that waits, either for its own descriptors and deadlines or in the poll loop of a
/// library.
///
/// All methods are called on the loop's thread, which holds the poller until it ends.
package protocol EventPoller: Sendable {
    /// Prepares the first turn. From now on the poller must call ``LoopMailbox/runItems()`` whenever
    /// ``LoopMailbox/wakeupDescriptor`` is readable.
    func start(_ mailbox: LoopMailbox)

    /// Waits until there is something to do, and does it. If waiting fails, it must call
    /// ``LoopMailbox/waitAfterFailure()`` and still run the items: actors run on this thread, and their callers would
    /// otherwise wait for ever.
    func turn(_ mailbox: LoopMailbox)

    /// Releases the resources that belong to the thread. No method is called after this one. If the thread could not be
    /// started, the loop's initializer calls it instead.
    func end()
}
