/// The limits on what a querier stores of the records on one link. The defaults suit a large network; a hostile one
/// gets no more than that.
package struct QuerierLimits: Sendable {
    /// The highest number of service instances.
    package var instances: Int

    /// The highest number of SRV records, and of TXT records, of one instance.
    package var recordsPerInstance: Int

    /// The highest number of addresses of each family of one host.
    package var addressesPerHost: Int

    /// The highest number of records in all.
    package var records: Int

    /// The highest number of bytes that all records count for, each with the overhead of storing it.
    package var bytes: Int

    /// The highest number of questions, other than those for the instances of a type, that are asked in a burst, and
    /// then per second.
    package var questionBurst: Int
    package var questionsPerSecond: Int

    package init(
        instances: Int = 16_384,
        recordsPerInstance: Int = 4,
        addressesPerHost: Int = 16,
        records: Int = 131_072,
        bytes: Int = 32 << 20,
        questionBurst: Int = 4_096,
        questionsPerSecond: Int = 512
    ) {
        self.instances = instances
        self.recordsPerInstance = recordsPerInstance
        self.addressesPerHost = addressesPerHost
        self.records = records
        self.bytes = bytes
        self.questionBurst = questionBurst
        self.questionsPerSecond = questionsPerSecond
    }
}
