internal import DNSSD
internal import DequeModule

/// The reports of a querier until its owner takes them.
struct QuerierReports {
    /// The events of this turn.
    var events: [QuerierEvent] = []

    /// The instances that have come and gone.
    var turnover: [InstanceTurnover] = []

    /// The instances whose last listing has expired.
    var gone: [ServiceInstance] = []

    /// The number of times that an instance or a record was given up or not stored for lack of room.
    var leftOut = 0

    /// The warnings that were reported: each is reported once.
    var warned: Set<BackendWarning.Code> = []
}

/// The instances that the next turn of a querier must review.
struct QuerierReviews {
    var instances = OrderedNames()

    /// The hosts whose instances it must review.
    var hosts = OrderedNames()
}

/// The instances that are not given up for lack of room.
struct KeptInstances {
    /// Those that this process publishes.
    var own: Set<DomainName> = []

    /// Those that are known to be alive by other means, including those that are not seen here.
    var protected: Set<DomainName> = []

    /// Indicates whether an instance is one of them.
    func contains(_ name: DomainName) -> Bool { own.contains(name) || protected.contains(name) }
}

/// The questions for missing records, with a budget of their own: instances that a forger invents do not use up the one
/// that refreshes real ones.
struct QuerierInquiries {
    /// The questions that wait for budget.
    var waiting: Deque<RecordKey> = []

    /// The time of the next questions: those that are found to be missing before then go out together.
    var next: ContinuousClock.Instant

    var budget: TokenBucket
}

/// The questions that refresh known records, with a budget of their own.
struct QuerierRefreshes {
    /// The sets of records to refresh in this turn, in order.
    var waiting: [RecordKey] = []

    var budget: TokenBucket
}

/// The times at which the instances of all browsed names are asked for again because packets were lost.
struct QuerierRecovery {
    /// The next time; `nil` while nothing was lost.
    var next: ContinuousClock.Instant?

    /// The time at which that was last done.
    var last: ContinuousClock.Instant?
}
