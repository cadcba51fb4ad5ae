import Bonjour
import DNSSD
import Discovery
import Foundation
import GatewayProtocol

/// Our libraries in the test process, with the daemon of host h2.
///
/// libdbus reads the address of the system bus only once per process. Therefore all tests use the bus of h2.
enum InProcess {
    private static let isPointedAtH2: Bool = {
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/run/lab/h2/bus", 1) == 0
    }()

    static func backend() throws -> any ServiceBackend {
        _ = isPointedAtH2
        return try Backends.system()
    }

    /// Returns the libdns_sd backend alone, without the one-shot query that otherwise accompanies every browse.
    static func bonjour() -> BonjourBackend {
        _ = isPointedAtH2
        return BonjourBackend()
    }

    /// Runs an advertiser, and runs `body` once its service is published.
    static func withAdvertiser(
        _ name: String,
        fingerprint: String,
        backend: (any ServiceBackend)? = nil,
        _ body: (Advertiser) async throws -> Void
    ) async throws {
        let advertiser = try Advertiser(
            Advertisement(
                name: name,
                types: [.openClaw],
                port: 3000,
                txt: try GatewayAdvertisement.txtRecord(fingerprint: GatewayFingerprint(fingerprint))
            ),
            backend: try backend ?? Self.backend()
        )
        try await withThrowingTaskGroup { group in
            group.addTask { try await advertiser.run() }
            for await state in advertiser.states {
                if case .published = state { break }
            }
            try await body(advertiser)
            group.cancelAll()
        }
    }

    /// Browses until the daemon has answered, or for five seconds.
    static func browseBriefly() async throws {
        let browser = Browser(BrowserConfiguration(types: [.openClaw]), backend: try backend())
        await withTaskGroup { group in
            group.addTask { try? await browser.run() }
            // The hosts have a network, and this process has none: it may not say that it runs.
            _ = await wait(within: .seconds(1)) { browser.condition.status == .running }
            group.cancelAll()
        }
    }

    /// The resources that a process must not leak.
    struct Resources {
        let descriptors: Int
        let avahiThreads: Int

        /// The number of threads that call libdns_sd. Avahi's library starts a thread for each reference, which
        /// inherits the name and is counted too.
        let libraryThreads: Int
    }

    static var resources: Resources {
        let files = FileManager.default
        let threads = (try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let names = threads.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
        return Resources(
            descriptors: (try? files.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0,
            avahiThreads: names.count { $0.hasPrefix("avahi") },
            libraryThreads: names.count { $0.hasPrefix("libdns_sd") }
        )
    }

    /// Waits until a condition holds, which is checked every few milliseconds.
    ///
    /// - Returns: `false` if it does not hold within the limit.
    static func wait(within limit: Duration, _ condition: () -> Bool) async -> Bool {
        var patience = Patience(limit)
        while !condition() {
            guard patience.isLeft(), (try? await Task.sleep(for: .milliseconds(5))) != nil else { return false }
        }
        return true
    }
}
