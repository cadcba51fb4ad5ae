import Clawradar
import Foundation

/// One line of output.
enum Line {
    static func show(_ session: SessionSnapshot) {
        // Gateways choose these names, so they are cleaned before a person sees them.
        let gateway = DisplayText(session.gatewayName, limit: 40)
        let state = [word(for: session.state), session.path, session.reason].compactMap(\.self)
        for bot in session.bots {
            let name = DisplayText([bot.emoji, bot.name].compactMap(\.self).joined(separator: " "), limit: 40)
            print("\(name) of \(gateway): \(state.joined(separator: ", "))")
        }
    }

    private static func word(for state: BotState) -> String {
        switch state {
        case .discovered, .pairing, .paired: "paired"
        case .connecting: "connecting"
        case .connected: "connected"
        case .disconnected: "gone"
        case .moved: "moved"
        case .changedLeaf, .uncertified: "another certificate"
        case .waiting: "waiting"
        case .refused, .failed, .error: "error"
        @unknown default: "unknown"
        }
    }

    /// Prints a line immediately, even if the output is a pipe.
    static func print(_ text: String) {
        Swift.print(text)
        fflush(nil)
    }
}
