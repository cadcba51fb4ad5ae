import Clawradar
import Foundation

/// One line of output.
enum Line {
    /// Prints an update: `+` found, `~` changed, `-` lost.
    static func show(_ update: MapUpdate) {
        switch update {
        case .snapshot(let snapshot): for row in snapshot.gateways { print("+ \(description(of: row))") }
        case .change(.found(let row), _): print("+ \(description(of: row))")
        case .change(.changed(let row, let aspects), _):
            let names = aspects.map(\.rawValue).sorted().joined(separator: ", ")
            print("~ \(description(of: row))  (new: \(names))")
        // Another row has its contents, and tells its changes.
        case .change(.joined, _): break
        case .change(.lost(let row), _): print("- \(description(of: row))")
        case .change(.problem(let problem), _): print("! \(DisplayText("\(problem)", limit: 160))")
        @unknown default: break
        }
    }

    /// Prints a line immediately, even if the output is a pipe.
    static func print(_ text: String) {
        Swift.print(text)
        fflush(nil)
    }

    private static func description(of gateway: Gateway) -> String {
        // Strangers choose these texts, so they are cleaned before a person sees them.
        var parts = [DisplayText(gateway.name, limit: 40).text, gateway.liveness?.rawValue ?? "not asked yet"]
        // A service that is advertised as a gateway may really be an SSH server.
        if gateway.classification == .other { parts[1] = "no gateway" }
        parts += gateway.bots.map { bot in
            DisplayText([bot.emoji, bot.name].compactMap(\.self).joined(separator: " "), limit: 40).text
        }
        if let path = gateway.paths.first { parts.append("at \(path.endpoint)") }
        parts += gateway.flags.sorted().map(\.rawValue)
        return parts.joined(separator: ", ")
    }
}
