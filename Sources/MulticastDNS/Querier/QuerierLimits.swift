/// How much a querier keeps of what it hears on one link. The defaults are those of a large network; a hostile one gets
/// no more.
package struct QuerierLimits: Sendable {
    /// How many service instances.
    package var instances: Int

    /// How many SRV records, and how many TXT records, of one instance.
    package var recordsPerInstance: Int

    /// How many addresses of each family of one host.
    package var addressesPerHost: Int

    /// How many records in all.
    package var records: Int

    /// How many bytes all records count for, each with what keeping it costs.
    package var bytes: Int

    /// How many questions are asked in a burst, apart from those for services, and then in a second.
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
