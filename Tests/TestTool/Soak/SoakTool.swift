import Avahi
import DNSSD
import Discovery
import Foundation

/// The program that `scripts/soak` runs on a host of the lab. It uses our libraries for a long time, and counts the
/// resources that they hold.
///
/// `test-tool soak cycles N` begins N browses, each of which ends when a service is found. `test-tool soak restarts N`
/// browses and advertises while the script restarts the daemon N times, once for each line that is printed here.
enum SoakTool {
    static func run(_ arguments: [String]) async {
        guard arguments.count == 2, let count = Int(arguments[1]), count > 0 else {
            return fail("usage: test-tool soak cycles|restarts COUNT", status: 64)
        }
        do {
            switch arguments[0] {
            case "cycles": try await cycles(count)
            case "restarts": try await restarts(count)
            default: fail("usage: test-tool soak cycles|restarts COUNT", status: 64)
            }
        } catch {
            fail("soak: \(error)", status: 1)
        }
    }

    private static func fail(_ message: String, status: Int32) {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(status)
    }

    /// Returns the resources that are held while nothing is in use, after a few browses have loaded and started
    /// everything that stays for the life of the process.
    private static func baseline(_ backend: AvahiBackend) async throws -> Holdings {
        for _ in 1...5 { try await browse(backend) }
        let deadline = ContinuousClock.now + .seconds(10)
        while Holdings.now.avahiThreads > 0, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        let holdings = Holdings.now
        print("before: \(holdings)")
        return holdings
    }

    /// Runs a number of browses, every other one with a backend of its own, which connects and disconnects; the others
    /// share one backend.
    private static func cycles(_ count: Int) async throws {
        let shared = AvahiBackend()
        let before = try await baseline(shared)
        for cycle in 1...count {
            try await browse(cycle.isMultiple(of: 2) ? shared : AvahiBackend())
            if cycle.isMultiple(of: max(1, count / 20)) { print("\(cycle) cycles: \(Holdings.now)") }
        }
        try await settle(before, after: "\(count) cycles", shared)
    }

    /// Browses until the first service is found.
    private static func browse(_ backend: AvahiBackend) async throws {
        let browser = Browser(BrowserConfiguration(types: [try ServiceType("_openclaw._tcp")]), backend: backend)
        try await withThrowingTaskGroup { group in
            group.addTask { try await browser.run() }
            group.addTask {
                try await Task.sleep(for: .seconds(20))
                throw SoakError(description: "no service within 20 s; status \(browser.condition.status)")
            }
            group.addTask { for await _ in browser.changes { break } }
            // The first task to end has found a service, or has thrown since the time is up.
            while let _ = try await group.next() {
                group.cancelAll()
                break
            }
        }
    }

    private static func restarts(_ count: Int) async throws {
        let backend = AvahiBackend()
        let before = try await baseline(backend)
        let browser = Browser(BrowserConfiguration(types: [try ServiceType("_openclaw._tcp")]), backend: backend)
        let advertiser = try Advertiser(
            Advertisement(name: "Soak", types: [try ServiceType("_openclaw._tcp")], port: 3000),
            backend: backend
        )
        await withTaskGroup { group in
            group.addTask { try? await browser.run() }
            group.addTask { try? await advertiser.run() }
            var published = 0
            for await state in advertiser.states {
                guard case .published = state else { continue }
                let held = await backend.holdings
                print("restart \(published): \(Holdings.now), \(held), \(browser.services.count) services")
                published += 1
                if published > count { break }
            }
            group.cancelAll()
        }
        try await settle(before, after: "\(count) restarts", backend)
    }

    /// Waits until all resources have been released, and throws if they are not within ten seconds.
    private static func settle(_ before: Holdings, after: String, _ backend: AvahiBackend) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while Holdings.now.isMore(than: before), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        let held = await backend.holdings
        print("after \(after): \(Holdings.now), \(held)")
        guard !Holdings.now.isMore(than: before), held == .none else {
            throw SoakError(description: "leaked: before \(before), now \(Holdings.now), \(held)")
        }
    }
}
