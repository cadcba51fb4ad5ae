/// The settings of a ``OneShotQuery``: how it asks, and how much it stores.
package struct OneShotConfiguration: Sendable {
    /// The time after which the first question is repeated in case a packet was lost.
    package var repetitionDelay: Duration = .milliseconds(250)

    /// The largest number of times that the first question is repeated: after the first repetition only where there are
    /// signs of a loss, and each time after twice the time.
    package var repetitions = 4

    /// The time that the backend may take to be ready for the answers to the multicast question, and the time to wait
    /// for answers before that question is asked where there are none.
    package var backendTime: Duration = .milliseconds(30)

    /// The time for which the query listens for multicast packets after the multicast question.
    package var listeningTime: Duration = .milliseconds(500)

    /// The time without new packets after which incomplete instances are asked for.
    package var gatheringTime: Duration = .milliseconds(5)

    /// The longest time to wait for more answers before incomplete instances are asked for. Each further wait is twice
    /// as long.
    package var answerTime: Duration = .milliseconds(50)

    /// The number of times that each incomplete instance is asked for.
    package var rounds = 3

    /// The interval at which instances that the backend does not confirm are asked for again.
    package var checkInterval: Duration = .seconds(8)

    /// The number of rows that are asked for again per second: with more rows the interval grows.
    package var checksPerSecond = 250

    /// The largest number of packets in one round, for each path.
    package var packetsPerRound = 64

    /// The number of packets asking for incomplete instances that may be sent per second, after an initial burst of as
    /// many packets as all rounds may have.
    package var packetsPerSecond = 16

    /// The largest number of instances that are stored, over all paths; past it the source that has brought the most
    /// loses its newest instance.
    package var maximumInstances = 16_384

    /// The largest number of addresses of each family that are stored for one host.
    package var maximumAddresses = 16

    /// The largest number of bytes of names and records that are stored, over all paths.
    package var maximumBytes = 16 << 20

    /// The largest number of paths on which the query asks.
    package var maximumPaths = 64
}
