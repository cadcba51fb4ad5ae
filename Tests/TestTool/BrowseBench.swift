import DNSSD
import Discovery
import Glibc

/// The program that `scripts/bench` runs. It browses with one backend, and prints a line of JSON when the browse begins
/// and one for each service when it is first resolved: `{"browsing":true}`,
/// `{"instance":…,"port":…,"addresses":[…],"source":…,"ms":…}` with the time since the browse began.
///
/// It ends when nothing has arrived for two seconds, like the program with python-zeroconf that it is compared with.
///
/// Usage: `test-tool browse-bench BACKEND TYPE LIMIT`, the limit in seconds.
enum BrowseBench {
    static func run(_ arguments: [String]) async throws {
        guard arguments.count == 3, let choice = BackendChoice(rawValue: arguments[0]),
            let limit = Double(arguments[2])
        else { throw BackendError(.refused, "usage: test-tool browse-bench BACKEND TYPE LIMIT") }
        let browser = Browser(
            BrowserConfiguration(types: [try ServiceType(arguments[1])]),
            backend: try Backends.make(choice)
        )
        say("{\"browsing\":true}")
        let began = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await browser.run() }
            group.addTask { await list(browser, since: began) }
            await browser.settle(quiet: .seconds(2), deadline: began + .seconds(limit))
            group.cancelAll()
        }
    }

    private static func list(_ browser: Browser, since began: ContinuousClock.Instant) async {
        var reported: Set<ServiceInstance> = []
        for await change in browser.changes {
            let service = change.service
            guard service.resolution == .resolved, let port = service.port, reported.insert(service.instance).inserted
            else { continue }
            let source = service.sightings.values.map(\.source.rawValue).min() ?? ""
            let addresses = service.addresses.map { quoted($0.description) }.joined(separator: ",")
            // The line is written without an encoder, which would take longer than finding the service.
            say(
                """
                {"instance":\(quoted(service.instance.name)),"port":\(port),"addresses":[\(addresses)],\
                "source":\(quoted(source)),"ms":\((.now - began) / .milliseconds(1))}
                """
            )
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.unicodeScalars.map { $0 == "\"" || $0 == "\\" || $0.value < 0x20 ? "?" : String($0) }.joined()
            + "\""
    }

    /// Prints a line and flushes it, so that a pipe receives it at once.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
