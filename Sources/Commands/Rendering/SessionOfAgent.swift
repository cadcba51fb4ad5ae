internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// The session with one gateway as an agent has it, which goes on after the command has ended.
struct SessionOfAgent {
    private let pairing: StoredPairing

    /// The session, as `SessionReport` writes it; `nil` while the agent has not taken it up.
    private let report: JSONValue?

    /// - Parameter reports: The sessions of the agent; those with one gateway can be several, of which one that is connected
    ///   counts.
    init(_ pairing: StoredPairing, among reports: [JSONValue]) {
        self.pairing = pairing
        let own = reports.filter { $0["pairing"]?.string == "\(pairing.id)" }
        report = own.first { Self.state(of: $0) == .connected } ?? own.first
    }

    private static func state(of report: JSONValue?) -> ShownSession.State? {
        report?["state"]?.string.flatMap(ShownSession.State.init(rawValue:))
    }

    /// Indicates whether it is known what has become of it.
    var isDecided: Bool {
        switch Self.state(of: report) {
        case .connecting, .disconnected, nil: false
        default: true
        }
    }

    /// The lines for people.
    var text: String {
        let state = report?["state"]?.string ?? "not taken up yet"
        guard Self.state(of: report) != .connected else {
            return "\(pairing.label) connected: the agent keeps it so until: clawradar disconnect \(pairing.word)\n"
        }
        let reason = report?["reason"]?.string.map { ", \(DisplayText(sentence: $0))" } ?? ""
        return
            "\(pairing.label) \(DisplayText(state, limit: 32))\(reason). The agent goes on, and shows it in: clawradar status\n"
    }

    /// The session as a line of a stream; empty if there is none.
    var line: String { report.map { String(decoding: $0.encoded, as: UTF8.self) + "\n" } ?? "" }
}
