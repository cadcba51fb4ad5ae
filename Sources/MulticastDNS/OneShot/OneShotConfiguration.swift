/// How a ``OneShotQuery`` asks, and how much it keeps.
package struct OneShotConfiguration: Sendable {
    /// After what time the first question is repeated, against loss.
    package var repetitionDelay: Duration

    /// How often it is repeated at most: each time after the first only where something was lost, as far as can be seen,
    /// and after twice the time.
    package var repetitions: Int

    /// How long the backend may take to be ready for the answers to the question that is asked by multicast, and how long
    /// answers are waited for before it is asked where there are none.
    package var backendTime: Duration

    /// For how long what is said to all is heard after the first question.
    package var hearingTime: Duration

    /// For how long nothing must have come before what came incomplete is asked for.
    package var gatheringTime: Duration

    /// For how long at most answers are waited for before that. Each further time is twice as long.
    package var answerTime: Duration

    /// How often each instance that is incomplete is asked for.
    package var rounds: Int

    /// How often what the backend does not confirm is asked for again.
    package var checkInterval: Duration

    /// How many rows are asked for again in a second: with more of them the interval grows.
    package var checksPerSecond: Int

    /// How many packets one round has at most, for each path.
    package var packetsPerRound: Int

    /// How many packets that ask for what is incomplete may be sent in a second, after as many as all rounds have.
    package var packetsPerSecond: Int

    /// How many instances are kept, over all paths; past it the source that brought most loses what came last.
    package var maximumInstances: Int

    /// How many addresses of each family of one host are kept.
    package var maximumAddresses: Int

    /// How many bytes of names and records are kept, over all paths.
    package var maximumBytes: Int

    /// How many paths are asked on.
    package var maximumPaths: Int

    package init(
        repetitionDelay: Duration = .milliseconds(250),
        repetitions: Int = 4,
        backendTime: Duration = .milliseconds(30),
        hearingTime: Duration = .milliseconds(500),
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
        self.hearingTime = hearingTime
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
