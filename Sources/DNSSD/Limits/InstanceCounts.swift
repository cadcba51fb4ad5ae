/// A count of the service instances on all links together: one that is seen on several counts once.
package struct InstanceCounts {
    /// The number of links on which each is seen.
    private var links: [DomainName: Int] = [:]

    package init() {}

    /// The number of instances.
    package var count: Int { links.count }

    package func contains(_ name: DomainName) -> Bool { links[name] != nil }

    /// An instance is seen on one link more.
    package mutating func insert(_ name: DomainName) {
        links[name, default: 0] += 1
    }

    /// An instance is seen on one link less.
    package mutating func remove(_ name: DomainName) {
        guard let count = links[name] else { return }
        links[name] = count > 1 ? count - 1 : nil
    }
}
