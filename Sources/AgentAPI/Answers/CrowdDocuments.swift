internal import Agent
internal import DNSSD
internal import GatewayProtocol
internal import HTTPTypes
internal import Reports
internal import Scanning

extension PagedDocument {
    /// Makes the document of a report with lists in place of those that it has under the same keys.
    init(_ report: some JSONReport, _ lists: [String: Member]) {
        var members = report.fields.mapValues(Member.value)
        members["schema"] = .value(.number(JSONNumber(ReportSchema.version)))
        self.init(members.merging(lists) { $1 })
    }
}

extension Agent {
    /// The gateways, and other things, as an answer.
    var gatewaysAnswer: APIAnswer {
        get async {
            guard await constellation.isCrowd else { return .document(.ok, GatewaysDocument(await present).line) }
            let outline = await constellation.outline(by: NetworkSnapshot.areInOrder)
            return .paged(PagedDocument(GatewaysDocument(emptyPresent(outline)), constellation.rowLists(outline)))
        }
    }

    /// The services as an answer.
    var servicesAnswer: APIAnswer {
        get async {
            guard await constellation.isCrowd else { return .document(.ok, ServicesDocument(await present).line) }
            let outline = await constellation.outline()
            return .paged(
                PagedDocument(
                    ServicesDocument(emptyPresent(outline)),
                    ["services": constellation.serviceList(outline)]
                )
            )
        }
    }

    private func emptyPresent(_ outline: ConstellationOutline) -> Present {
        Present(
            snapshot: ConstellationSnapshot(revision: outline.revision),
            position: EventPosition(self, outline.revision).description
        )
    }
}

extension Constellation {
    /// The rows of an outline, by their keys in a document.
    nonisolated func rowLists(_ outline: ConstellationOutline) -> [String: PagedDocument.Member] {
        [
            "gateways": .list(pages: outline.rowPages) { page in
                await self.rows(on: page, of: outline).filter(\.isGateway).map { GatewayReport($0).json }
            },
            "others": .list(pages: outline.rowPages) { page in
                await self.rows(on: page, of: outline).filter { !$0.isGateway }.map { OtherReport($0).json }
            },
        ]
    }

    /// The services of an outline.
    ///
    /// - Parameter more: Further ones, which come after them.
    nonisolated func serviceList(
        _ outline: ConstellationOutline,
        and more: [DiscoveredService] = []
    ) -> PagedDocument.Member {
        .list(pages: outline.servicePages + more.count) { page in
            guard page < outline.servicePages else { return [ServiceReport(more[page - outline.servicePages]).json] }
            return await self.services(on: page, of: outline).map { ServiceReport($0).json }
        }
    }

    /// The rows and services of an outline, by their keys in a recording.
    nonisolated func recordedLists(_ outline: ConstellationOutline) -> [String: PagedDocument.Member] {
        [
            "gateways": .list(pages: outline.rowPages) { page in
                await self.rows(on: page, of: outline).map(\.recording)
            },
            "services": .list(pages: outline.servicePages) { page in
                await self.services(on: page, of: outline).map(\.recording)
            },
        ]
    }
}
