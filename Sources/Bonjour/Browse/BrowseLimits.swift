/// The limits of a browse: what it may cost, and how long it waits.
struct BrowseLimits: Hashable, Sendable {
    /// Questions that end with their answer, at once. They share the references of ``ReferenceQuota`` with what lasts.
    var lookups = 32

    /// TXT records that are watched at once. Those of other instances are asked for again, see ``refreshInterval``.
    var watches = 24

    /// Instances, counted once for each interface. Those of this program, and those that are known to be alive by other means,
    /// are taken in all the same.
    var paths = 16_384

    /// Addresses of one host on one interface: more than a host has.
    var addresses = 32

    /// The time that an instance may take to answer.
    var resolveTimeout = Duration.seconds(5)

    /// The time that a host may take to answer with its first address of a family.
    var addressTimeout = Duration.seconds(1)

    /// The time after an address within which others may follow.
    var addressQuiet = Duration.milliseconds(150)

    /// The time after which SRV, TXT and addresses are asked for again. Each question is a thread and a connection to the bus
    /// with Avahi's library: some 5 ms of a core.
    var refreshInterval = Duration.seconds(60)

    /// The average interval between two such questions: the more instances there are, the longer a round takes.
    var refreshGap = Duration.milliseconds(500)

    /// The same for what was not answered.
    var retryInterval = Duration.seconds(15)

    /// The same for what was not answered.
    var retryGap = Duration.milliseconds(100)

    /// The time for which an instance is waited for after the daemon has come back.
    var grace = Duration.seconds(4)

    /// The time for which the first answer is waited for after the question for instances.
    var firstAnswer = Duration.seconds(2)
}
