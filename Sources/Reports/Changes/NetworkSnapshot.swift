package import DNSSD
package import Scanning

/// The known state of the network at one moment: the rows of the map, and all services.
package struct NetworkSnapshot: Hashable, Sendable {
    /// The rows that have answered as a gateway, or are paired; sorted by name.
    package let gateways: [Gateway]

    /// The rows that are no gateways, or have not been asked; sorted by name.
    package let others: [Gateway]

    /// All services, sorted.
    package let services: [DiscoveredService]

    /// Creates a snapshot, in which the rows are sorted by name, and the gateways are separated from the others.
    ///
    /// - Parameters:
    ///   - rows: The rows of the map, in any order.
    ///   - services: The services, sorted.
    package init(rows: [Gateway], services: [DiscoveredService]) {
        let sorted = rows.sorted(by: Self.areInOrder)
        self.gateways = sorted.filter(\.isGateway)
        self.others = sorted.filter { !$0.isGateway }
        self.services = services
    }

    /// Returns whether the first of two rows comes before the second: by name, and rows of one name by identifier.
    package static func areInOrder(_ left: Gateway, _ right: Gateway) -> Bool {
        left.name == right.name ? left.id < right.id : left.name < right.name
    }

    /// The gateways that are not paired.
    package var unpaired: [Gateway] { gateways.filter { !$0.isPaired } }

    /// The number of gateways that answer.
    package var answering: Int { gateways.count { $0.liveness == .answering } }

    /// The number of gateways that have missed liveness checks but may still be there.
    package var suspect: Int { gateways.count { $0.liveness == .suspect } }
}
