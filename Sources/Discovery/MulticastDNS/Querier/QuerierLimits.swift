/// The limits on what a querier stores of the records on one link. The defaults suit a large network; a hostile one
/// gets no more than that.
package struct QuerierLimits: Sendable {
    /// The highest number of service instances.
    package var instances = 16_384

    /// The highest number of SRV records, and of TXT records, of one instance.
    package var recordsPerInstance = 4

    /// The highest number of addresses of each family of one host.
    package var addressesPerHost = 16

    /// The highest number of records in all.
    package var records = 131_072

    /// The highest number of bytes that all records count for, each with the overhead of storing it.
    package var bytes = 32 << 20

    /// The highest number of questions, other than those for the instances of a type, that are asked in a burst, and
    /// then per second.
    package var questionBurst = 4_096
    package var questionsPerSecond = 512
}
