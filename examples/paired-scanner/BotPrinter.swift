import Clawradar
import ServiceLifecycle

/// Prints the changes of the sessions.
struct BotPrinter: Service {
    let connections: Connections

    func run() async {
        await cancelWhenGracefulShutdown {
            for await event in connections.events {
                switch event {
                case .snapshot(let sessions): for session in sessions { Line.show(session) }
                case .changed(let session): Line.show(session)
                case .removed: Line.print("- a pairing has ended")
                @unknown default: break
                }
            }
        }
    }
}
