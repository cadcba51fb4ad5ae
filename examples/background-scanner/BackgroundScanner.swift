import Clawradar
import UnixSignals

/// Prints gateways and their bots as they appear, answer, fall silent and disappear, until Ctrl-C or SIGTERM.
@main
struct BackgroundScanner {
    static func main() async throws {
        let types = ServiceType.gatewayTypes
        let scanner = try GatewayScanner(types: types)

        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await scanner.run() }
            group.addTask {
                for await update in scanner.constellation.updates { Line.show(update) }
            }
            group.addTask { await tellTrouble(of: scanner.browser) }
            Line.print("looking for \(types.map(\.description).joined(separator: ", "))")

            for await _ in signals { break }
            // Cancellation ends `run()` and, with it, every sequence; nothing is left behind.
            group.cancelAll()
        }
    }

    /// Prints when the browser cannot work, and when it can again. The browser recovers by itself; the lines are only
    /// information.
    private static func tellTrouble(of browser: Browser) async {
        var last = BackendStatus.starting
        for await status in browser.statuses where status != last {
            switch status {
            case .starting: break
            case .running: Line.print("at work")
            case .unavailable(let error): Line.print("waiting: \(error)")
            @unknown default: break
            }
            last = status
        }
    }
}
