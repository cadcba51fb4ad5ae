import Connections
import Scanning
import ServiceLifecycle

/// Prints the changes of the sessions, and passes on to the scanner what the sessions learn.
struct BotPrinter: Service {
    let scanner: Scanner
    let connections: Connections

    func run() async {
        await cancelWhenGracefulShutdown {
            for await event in connections.events {
                switch event {
                case .snapshot(let sessions): for session in sessions { Line.show(session) }
                case .changed(let session): Line.show(session)
                case .removed: Line.print("- a pairing has ended")
                case .liveness(let endpoint, let liveness, let roundTrip):
                    await scanner.noteSession(liveness, at: endpoint, roundTrip: roundTrip)
                case .pinned(let endpoint, let leaf): await scanner.pin(leaf, at: endpoint)
                }
            }
        }
    }
}
