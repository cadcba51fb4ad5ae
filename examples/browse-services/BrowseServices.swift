import Clawradar

/// Prints the services of a type, such as `_http._tcp`, as they come and go, until Ctrl-C.
@main
struct BrowseServices {
    static func main() async throws {
        let browser = try Browser(type: CommandLine.arguments.dropFirst().first ?? "_openclaw._tcp")
        try await runUntilSignal(browser) {
            for await change in browser.changes {
                let name = DisplayText(change.service.instance.name)
                switch change {
                case .found(let service): print("+ \(name) at \(service.addresses)")
                case .changed(let service, _): print("~ \(name) at \(service.addresses), port \(service.port ?? 0)")
                case .lost: print("- \(name)")
                }
            }
        }
    }
}
