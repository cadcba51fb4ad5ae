import DNSSD
import Discovery
import Foundation

/// Browses with one backend, and prints a line of JSON when the browse begins and one for each service, once, when it is
/// resolved: `{"browsing":true}`, `{"instance":…,"port":…,"addresses":[…],"source":…,"ms":…}` with the time since the
/// browse began. It ends when nothing has come for two seconds, as the program of python-zeroconf that it is compared with.
///
/// Usage: `browse-bench BACKEND TYPE LIMIT`, the limit in seconds.
@main
struct BrowseBench {
    private struct Line: Encodable {
        let instance: String
        let port: UInt16
        let addresses: [String]
        let source: String
        let ms: Double
    }

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 3, let choice = BackendChoice(rawValue: arguments[1]),
            let limit = Double(arguments[3])
        else { throw BackendError(.refused, "usage: browse-bench BACKEND TYPE LIMIT") }
        let browser = Browser(
            BrowserConfiguration(types: [try ServiceType(arguments[2])]),
            backend: try Backends.make(choice)
        )
        say("{\"browsing\":true}")
        let began = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await browser.run() }
            group.addTask { await list(browser, since: began) }
            await browser.settle(quiet: .seconds(2), deadline: began + .seconds(limit))
            group.cancelAll()
        }
    }

    private static func list(_ browser: Browser, since began: ContinuousClock.Instant) async {
        let encoder = JSONEncoder()
        var told: Set<ServiceInstance> = []
        for await change in browser.changes {
            let service = change.service
            guard service.resolution == .resolved, let port = service.port, told.insert(service.instance).inserted
            else { continue }
            let line = Line(
                instance: service.instance.name,
                port: port,
                addresses: service.addresses.map(\.description),
                source: service.sightings.values.map(\.source.rawValue).min() ?? "",
                ms: (.now - began) / .milliseconds(1)
            )
            guard let text = try? encoder.encode(line) else { continue }
            say(String(decoding: text, as: UTF8.self))
        }
    }

    /// Prints a line at once, also into a pipe.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
