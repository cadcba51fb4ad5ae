import Foundation
import Testing

extension LabTests {
    /// A program with hundreds of browsers, such as one browser for each view, takes a few threads and descriptors.
    @Suite struct ManyBrowsersLabTests {
        /// Two hundred browsers, each with a backend of its own, have one thread for their engine or connection, one for
        /// the queries that go with it and one for the changes of the network. All of it goes with them.
        ///
        /// Each browser asks from ports of its own on two links and in two families, and has a bus connection of its own
        /// with a daemon.
        @Test(arguments: [("embedded", 200 * 4 + 20), ("avahi", 200 * 5 + 20)])
        func twoHundredBrowsersTakeFewThreadsAndDescriptors(backend: String, descriptors: Int) async throws {
            let publisher = try Publisher.avahi(on: "h2", "Seen by two hundred")
            let result = try await Lab.run(
                on: "h3",
                Lab.testTool,
                "many-browsers",
                backend,
                "200",
                "\(descriptors)",
                within: .seconds(120)
            )
            publisher.signal(SIGTERM)
            #expect(result.status == 0, "\(result.output)")
            var counts: [String: [Int]] = [:]
            for line in result.output.split(separator: "\n") {
                let words = line.split(separator: " ")
                counts[String(words[0])] = words.dropFirst().compactMap { Int($0) }
            }
            let before = try #require(counts["before"])
            let during = try #require(counts["during"])
            let after = try #require(counts["after"])
            print("200 browsers, \(backend): threads and descriptors \(before), \(during), \(after)")
            #expect(during[0] - before[0] <= 4, "threads")
            #expect(during[1] - before[1] <= descriptors)
            #expect(after[0] <= before[0] && after[1] <= before[1])
        }
    }
}
