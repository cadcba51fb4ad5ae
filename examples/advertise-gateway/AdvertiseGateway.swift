import Clawradar
import Foundation
import UnixSignals

/// Advertises the gateway that listens on a port of this host for as long as it answers, and withdraws it at Ctrl-C or
/// SIGTERM.
@main
struct AdvertiseGateway {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 3_000
        let advertiser = try GatewayAdvertiser(port: port)

        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // Returns when it is cancelled and everything is withdrawn, or when it has permanently failed.
                await advertiser.run()
            }
            group.addTask {
                for await _ in signals { break }
            }
            group.addTask {
                for await state in advertiser.states { show(state) }
            }
            // The first of these tasks to end ends the others.
            await group.next()
            group.cancelAll()
        }
        if case .failed(let error) = advertiser.currentState {
            say("failed: \(error)")
            exit(1)
        }
        say("withdrawn")
    }

    private static func show(_ state: GatewayAdvertiserState) {
        switch state {
        case .asking: say("asking …")
        case .withheld(let reason): say("not advertised: \(DisplayText("\(reason)"))")
        case .advertising(let facts, _, .published(let name)):
            say("published as “\(DisplayText(name))”, bots: \(facts.bots.map(String.init) ?? "not told")")
        case .advertising(_, _, .publishing(waitingFor: let trouble?)): say("waiting: \(trouble)")
        case .advertising, .ended, .failed: break
        }
    }

    /// Prints a line immediately, even if the output is a pipe.
    private static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
