import DNSSD
import Testing

@testable import Discovery

/// Types and domains that are added and removed while a browser runs.
@Suite struct BrowsePartsTests {
    // MARK: The table

    @Test(arguments: BrowsePartsRules.all) func theRuleHolds(rule: GuideRule<PartsDrive>) {
        rule.check()
    }

    @Test func eachLineOfTheGuideHasARule() throws {
        let lines = try MergingGuide.firstCells(of: "When a browser looks for something else")
        #expect(Set(lines).count == lines.count, "rules identify rows by the first cell, which must be unique")
        #expect(Set(BrowsePartsRules.all.map(\.line)) == Set(lines))
    }

    // MARK: Parts

    /// A domain is browsed once, even if it is also given in other case or with a dot at its end.
    @Test func aDomainIsBrowsedOnce() {
        var drive = PartsDrive([PartsDrive.chat])
        drive.browse(for: [PartsDrive.chat], in: ["local", "example.org", "Example.org."])
        #expect(drive.browses.count == 2)
    }

    /// The number of browses stays limited however many types are added, since each browse has a cost for the backend.
    @Test func howeverManyTypesAreAddedTheBrowsesAreFew() {
        var types = [PartsDrive.chat]
        var drive = PartsDrive(types)
        drive.report(.status(.running), .sighted(PartsDrive.sighting("a")), from: drive.browse(of: PartsDrive.chat))
        for number in 0..<40 {
            types.append(ServiceType(checkedName: "t\(number)", transport: .tcp))
            drive.browse(for: types)
            for id in drive.browses.keys { drive.report(.status(.running), from: id) }
            if let id = drive.browse(of: PartsDrive.chat) { drive.report(.sighted(PartsDrive.sighting("a")), from: id) }
            #expect(drive.browses.count <= BrowseParts.mostPerDomain)
            #expect(Set(drive.browses.values.flatMap(\.types)) == Set(types))
            drive.pass(.seconds(10))
        }
        #expect(drive.takeChanges() == ["found a"])
    }

    // MARK: A browser

    /// A real browser over a merge of two sources that see the same instances finds and loses them as types and domains
    /// are added and removed.
    @Test(.timeLimit(.minutes(1))) func throughTheMerge() async throws {
        let all = [
            PartsDrive.sighting("a"), PartsDrive.sighting("f", PartsDrive.files),
            PartsDrive.sighting("w", in: "example.org"),
        ]
        let sources = [
            ListSource("daemon", .primary, rank: SourceRank.daemon, all),
            ListSource("query", .companion, rank: SourceRank.oneShot, all),
        ]
        let browser = Browser(
            BrowserConfiguration(types: [PartsDrive.chat]),
            backend: MergingBackend(sources) { _, _, _ in }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await browser.run() }
            var changes = browser.changes.makeAsyncIterator()
            func next() async throws -> String {
                let change = try #require(await changes.next())
                return "\(Samples.kind(change)) \(change.service.instance.name)"
            }
            #expect(try await next() == "found a")
            browser.browse(for: [PartsDrive.chat, PartsDrive.files])
            #expect(try await next() == "found f")
            browser.browse(for: [PartsDrive.files])
            #expect(try await next() == "lost a")
            browser.browse(for: [PartsDrive.files, PartsDrive.chat], in: ["local", "example.org"])
            var texts = [try await next(), try await next()]
            #expect(texts.sorted() == ["found a", "found w"])
            browser.browse(for: [])
            texts = [try await next(), try await next(), try await next()]
            #expect(texts.sorted() == ["lost a", "lost f", "lost w"])
            #expect(browser.services.isEmpty)
            group.cancelAll()
        }
    }

    /// The types that were last requested are also browsed for in the next run.
    @Test(.timeLimit(.minutes(1))) func theNextRunLooksForTheSame() async throws {
        let source = ListSource(
            "daemon",
            .primary,
            rank: SourceRank.daemon,
            [PartsDrive.sighting("a"), PartsDrive.sighting("f", PartsDrive.files)]
        )
        let backend = MergingBackend([source]) { _, _, _ in }
        let browser = Browser(BrowserConfiguration(types: [PartsDrive.chat]), backend: backend)
        browser.browse(for: [PartsDrive.files])
        for _ in 0..<2 {
            let run = Task { await browser.run() }
            // Services that the previous run found may still be present.
            #expect(await source.nextSession() == true)
            while browser.services.map(\.instance.name) != ["f"] { await Task.yield() }
            run.cancel()
            await run.value
            #expect(await source.nextSession() == false)
        }
    }
}
