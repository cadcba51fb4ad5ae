import DNSSD
import Discovery
import Foundation
import UnixSignals

/// Browses and advertises on one interface by its name, which may have yet to come: as an embedding program does, since the
/// tool itself refuses a name that no interface has.
///
/// `test-tool named-interface BACKEND INTERFACE NAME` publishes NAME, and prints `browser: CONDITION`, `browser: found NAME`,
/// `browser: lost NAME` and `advertiser: STATE`, until SIGTERM.
enum NamedInterface {
    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 3, let choice = BackendChoice(rawValue: arguments[0]) else {
            print("usage: test-tool named-interface avahi|bonjour|embedded INTERFACE NAME")
            exit(64)
        }
        let (type, interfaces) = (try ServiceType("_openclaw._tcp"), Set([arguments[1]]))
        let browser = Browser(
            BrowserConfiguration(types: [type], interfaces: interfaces),
            backend: try Backends.make(choice)
        )
        let advertiser = try Advertiser(
            Advertisement(name: arguments[2], types: [type], port: 3_000, interfaces: interfaces),
            backend: try Backends.make(choice)
        )
        let signals = await UnixSignalsSequence(trapping: .sigterm)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await condition in browser.conditions { say("browser: \(text(condition.status))") } }
            group.addTask {
                for await change in browser.changes {
                    switch change {
                    case .found(let service): say("browser: found \(service.instance.name)")
                    case .lost(let service, _): say("browser: lost \(service.instance.name)")
                    case .changed: continue
                    }
                }
            }
            group.addTask { for await state in advertiser.states { say("advertiser: \(text(state))") } }
            group.addTask { try await browser.run() }
            group.addTask { try await advertiser.run() }
            for await _ in signals { break }
            group.cancelAll()
        }
    }

    private static func text(_ status: BackendStatus) -> String {
        switch status {
        case .starting: "starting"
        case .running: "running"
        case .unavailable(let error): "unavailable: \(error.message)"
        }
    }

    private static func text(_ state: PublicationState) -> String {
        switch state {
        case .publishing(let error): error.map { "waiting: \($0.message)" } ?? "publishing"
        case .published(let name): "published \(name)"
        case .renamed(_, let name): "renamed \(name)"
        case .withdrawn: "withdrawn"
        case .failed(let error): "failed: \(error.message)"
        }
    }

    /// Prints a line and flushes it, so that a pipe receives it at once.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
