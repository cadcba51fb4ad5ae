import DNSSD
import Discovery
import Foundation

/// Runs many browsers at once, each with a backend of its own, and counts what the process takes for them.
///
/// `test-tool many-browsers avahi|embedded|auto COUNT DESCRIPTORS` prints the numbers of threads and descriptors before, while
/// all browsers have found a service, and after their end: `before T D`, `during T D` and `after T D`. They have ten seconds more
/// to be down to DESCRIPTORS: on a busy machine some have had more than others.
enum ManyBrowsers {
    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 3, let choice = BackendChoice(rawValue: arguments[0]), let count = Int(arguments[1]),
            let descriptors = Int(arguments[2])
        else {
            print("usage: test-tool many-browsers avahi|embedded|auto COUNT DESCRIPTORS")
            exit(64)
        }
        // What stays for the life of the process is there before the first count.
        try await browse(choice, count: 1) {}
        let before = try await settled { _ in true }
        tell("before", before)
        try await browse(choice, count: count) {
            // The one-shot queries, which bring the first results, have ended by then.
            try await Task.sleep(for: .seconds(10))
            tell("during", try await settled { $0.descriptors - before.descriptors <= descriptors })
        }
        tell("after", try await settled { $0.threads <= before.threads && $0.descriptors <= before.descriptors })
    }

    /// Runs browsers, and `body` once each of them has found a service.
    private static func browse(_ choice: BackendChoice, count: Int, _ body: () async throws -> Void) async throws {
        let type = try ServiceType("_openclaw._tcp")
        let (found, isFound) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                let browser = Browser(BrowserConfiguration(types: [type]), backend: try Backends.make(choice))
                group.addTask { try await browser.run() }
                group.addTask {
                    for await _ in browser.changes { break }
                    isFound.yield()
                }
            }
            for await _ in found.prefix(count) {}
            try await body()
            group.cancelAll()
        }
    }

    /// Waits until the resources are as wanted, for at least one second and at most ten.
    private static func settled(_ isWanted: (Resources) -> Bool) async throws -> Resources {
        for attempt in 1...10 {
            try await Task.sleep(for: .seconds(1))
            let now = Resources.now
            if isWanted(now) || attempt == 10 { return now }
        }
        return .now
    }

    private static func tell(_ moment: String, _ resources: Resources) {
        print("\(moment) \(resources.threads) \(resources.descriptors)")
    }
}
