/// The number of service instances on all links together. An instance that is seen on several links counts once.
package struct InstanceCounts {
    /// The number of links on which each instance is seen.
    private var links: [DomainName: Int] = [:]

    package init() {}

    /// The number of instances.
    package var count: Int { links.count }

    package func contains(_ name: DomainName) -> Bool { links[name] != nil }

    /// Records that an instance is seen on one more link.
    package mutating func insert(_ name: DomainName) {
        links[name, default: 0] += 1
    }

    /// Records that an instance is seen on one link fewer.
    package mutating func remove(_ name: DomainName) {
        guard let count = links[name] else { return }
        links[name] = count > 1 ? count - 1 : nil
        links.giveBackRoom()
    }
}
