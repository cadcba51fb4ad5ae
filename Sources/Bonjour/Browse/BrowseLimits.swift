/// The limits of a browse: what it may cost, and how long it waits.
struct BrowseLimits: Hashable, Sendable {
    /// The number of look-ups, questions that end with their answer, that run at once. They share the references of
    /// ``ReferenceQuota`` with browses, registrations and watches.
    var lookups = 32

    /// The number of TXT records that are watched at once. Those of other instances are looked up again, see
    /// ``refreshInterval``.
    var watches = 24

    /// The number of instances, counted once for each interface. Instances of this program, and those that are known to
    /// be alive by other means, are taken in beyond it.
    var paths = 16_384

    /// The number of addresses of one host on one interface: more than a host has.
    var addresses = 32

    /// The time that an instance may take to answer.
    var resolveTimeout = Duration.seconds(5)

    /// The time that a host may take to answer with its first address of a family.
    var addressTimeout = Duration.seconds(1)

    /// The time for which further addresses are waited for after each one.
    var addressQuiet = Duration.milliseconds(150)

    /// The time after which SRV, TXT and addresses are looked up again. With Avahi's library each question costs a
    /// thread and a connection to the bus: some 5 ms of a core.
    var refreshInterval = Duration.seconds(60)

    /// The shortest average interval between two such look-ups: the more instances there are, the longer a round takes.
    var refreshGap = Duration.milliseconds(500)

    /// ``refreshInterval`` for instances that were not resolved.
    var retryInterval = Duration.seconds(15)

    /// ``refreshGap`` for instances that were not resolved.
    var retryGap = Duration.milliseconds(100)

    /// The time within which a known instance must be found again after the daemon has come back.
    var returnTimeout = Duration.seconds(4)

    /// The time for which the first instance is waited for after the browse has started.
    var firstAnswer = Duration.seconds(2)
}
