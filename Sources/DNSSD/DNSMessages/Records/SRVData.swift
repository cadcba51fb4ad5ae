/// The data of an SRV record: the location of a service (RFC 2782).
package struct SRVData: Hashable, Sendable {
    /// The priority: the record with the lowest number is tried first.
    package var priority: UInt16

    /// The relative frequency with which this record is chosen among those of the same priority.
    package var weight: UInt16

    /// The port of the service.
    package var port: UInt16

    /// The host of the service.
    package var target: DomainName

    /// Creates the data of an SRV record; by default with priority 0 and weight 0.
    package init(priority: UInt16 = 0, weight: UInt16 = 0, port: UInt16, target: DomainName) {
        self.priority = priority
        self.weight = weight
        self.port = port
        self.target = target
    }
}
