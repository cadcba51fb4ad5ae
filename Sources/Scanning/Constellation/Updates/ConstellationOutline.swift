package import DNSSD

/// The identifiers of all rows and services that a ``Constellation`` shows at one moment, in their order: by them, a crowd is
/// read page by page, so that a reader who stops in the middle holds nothing of what is in a row.
///
/// A page has what is there when it is read. So the pages are those of one moment only as long as nothing changes; whoever
/// then takes in all changes after ``revision`` has everything, some of it twice.
package struct ConstellationOutline: Sendable {
    /// The number of rows and services together above which a document of them is to be written page by page.
    package static let crowd = 512

    /// The maximum number of rows or services on a page.
    static let pageSize = 64

    /// The revision that every page shows at least.
    package let revision: UInt64

    fileprivate let rows: [GatewayID]
    fileprivate let services: [GatewayCandidate]

    /// The number of pages with rows, and of those with services.
    package var rowPages: Int { Self.pages(rows) }
    package var servicePages: Int { Self.pages(services) }

    private static func pages(_ places: [some Any]) -> Int { (places.count + pageSize - 1) / pageSize }

    fileprivate static func page<Value>(_ number: Int, of places: [Value]) -> ArraySlice<Value> {
        places.dropFirst(number * pageSize).prefix(pageSize)
    }
}

extension Constellation {
    /// Indicates whether there is so much that it is to be read page by page: see ``ConstellationOutline``.
    package var isCrowd: Bool { map.rows.count + map.candidates.count > ConstellationOutline.crowd }

    /// Everything that is shown now, as identifiers.
    ///
    /// - Parameter areInOrder: Returns whether the first of two rows comes before the second; by default those with the
    ///   smaller identifiers come first.
    package func outline(
        by areInOrder: @Sendable (Gateway, Gateway) -> Bool = { $0.id < $1.id }
    ) -> ConstellationOutline {
        ConstellationOutline(
            revision: revision,
            rows: map.shownRows.sorted { areInOrder(map.rows[$0].gateway, map.rows[$1].gateway) },
            services: map.listedServices
        )
    }

    /// Returns the rows on a page of an outline that are still there.
    package func rows(on page: Int, of outline: ConstellationOutline) -> [Gateway] {
        ConstellationOutline.page(page, of: outline.rows).compactMap { map[$0] }
    }

    /// Returns the services on a page of an outline that are still there.
    package func services(on page: Int, of outline: ConstellationOutline) -> [DiscoveredService] {
        ConstellationOutline.page(page, of: outline.services).compactMap { map.candidates[$0].service }
    }

    /// Returns the services among these that the map does not have.
    package func unknown(among services: [DiscoveredService]) -> [DiscoveredService] {
        services.filter { map.candidates[.service($0.instance)].service == nil }
    }
}

extension ConstellationSnapshot {
    /// Indicates whether there is so much that it is to be read page by page: see ``ConstellationOutline``.
    package var isCrowd: Bool { gateways.count + services.count > ConstellationOutline.crowd }

    /// The snapshot without what is read page by page.
    package var withoutCrowd: ConstellationSnapshot {
        ConstellationSnapshot(
            revision: revision,
            backends: backends,
            sessions: sessions,
            missedProblems: missedProblems
        )
    }
}
