/// The settings of a ``OneShotQuery``: how it asks, and how much it stores.
package struct OneShotConfiguration: Sendable {
    /// The time after which the first question is repeated in case a packet was lost.
    package var repetitionDelay: Duration

    /// The largest number of times that the first question is repeated: after the first repetition only where there are
    /// signs of a loss, and each time after twice the time.
    package var repetitions: Int

    /// The time that the backend may take to be ready for the answers to the multicast question, and the time to wait
    /// for answers before that question is asked where there are none.
    package var backendTime: Duration

    /// The time for which the query listens for multicast packets after the multicast question.
    package var listeningTime: Duration

    /// The time without new packets after which incomplete instances are asked for.
    package var gatheringTime: Duration

    /// The longest time to wait for more answers before incomplete instances are asked for. Each further wait is twice
    /// as long.
    package var answerTime: Duration

    /// The number of times that each incomplete instance is asked for.
    package var rounds: Int

    /// The interval at which instances that the backend does not confirm are asked for again.
    package var checkInterval: Duration

    /// The number of rows that are asked for again per second: with more rows the interval grows.
    package var checksPerSecond: Int

    /// The largest number of packets in one round, for each path.
    package var packetsPerRound: Int

    /// The number of packets asking for incomplete instances that may be sent per second, after an initial burst of as
    /// many packets as all rounds may have.
    package var packetsPerSecond: Int

    /// The largest number of instances that are stored, over all paths; past it the source that has brought the most
    /// loses its newest instance.
    package var maximumInstances: Int

    /// The largest number of addresses of each family that are stored for one host.
    package var maximumAddresses: Int

    /// The largest number of bytes of names and records that are stored, over all paths.
    package var maximumBytes: Int

    /// The largest number of paths on which the query asks.
    package var maximumPaths: Int

    package init(
        repetitionDelay: Duration = .milliseconds(250),
        repetitions: Int = 4,
        backendTime: Duration = .milliseconds(30),
        listeningTime: Duration = .milliseconds(500),
        gatheringTime: Duration = .milliseconds(5),
        answerTime: Duration = .milliseconds(50),
        rounds: Int = 3,
        checkInterval: Duration = .seconds(8),
        checksPerSecond: Int = 250,
        packetsPerRound: Int = 64,
        packetsPerSecond: Int = 16,
        maximumInstances: Int = 16_384,
        maximumAddresses: Int = 16,
        maximumBytes: Int = 16 << 20,
        maximumPaths: Int = 64
    ) {
        self.repetitionDelay = repetitionDelay
        self.repetitions = repetitions
        self.backendTime = backendTime
        self.listeningTime = listeningTime
        self.gatheringTime = gatheringTime
        self.answerTime = answerTime
        self.rounds = rounds
        self.checkInterval = checkInterval
        self.checksPerSecond = checksPerSecond
        self.packetsPerRound = packetsPerRound
        self.packetsPerSecond = packetsPerSecond
        self.maximumInstances = maximumInstances
        self.maximumAddresses = maximumAddresses
        self.maximumBytes = maximumBytes
        self.maximumPaths = maximumPaths
    }
}
