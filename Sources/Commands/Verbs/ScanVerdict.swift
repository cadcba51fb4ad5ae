internal import DNSSD

/// What a scan comes down to: found, or why not.
enum ScanVerdict: Hashable {
    /// Something was found; the warning says what may be missing.
    case found(warning: String?)

    /// Nothing was found, for this reason.
    case failed(CommandFailure)

    /// - Parameters:
    ///   - interfaces: The interfaces that were asked for; empty means all.
    ///   - connected: The interfaces of this host that lead to others.
    init(_ result: ScanResult, timeout: TimeLimit, interfaces: [String], connected: Set<String>) {
        switch result.status {
        case .unavailable(let error) where result.services.isEmpty:
            self = .failed(CommandFailure(error))
        case .unavailable(let error):
            self = .found(warning: "this may not be all: \(error.message)")
        case .starting where result.services.isEmpty && result.elapsed >= timeout.duration:
            let message = "\(result.source) did not get ready within \(timeout) s. Give --timeout more."
            self = .failed(CommandFailure(.unavailable, message))
        case .starting, .running:
            guard result.services.isEmpty else {
                self = .found(warning: nil)
                return
            }
            self = .failed(Self.nothing(interfaces: interfaces, connected: connected))
        }
    }

    /// - Parameters:
    ///   - findings: What was found, and asked.
    ///   - interfaces: The interfaces that were asked for; empty means all.
    ///   - connected: The interfaces of this host that lead to others.
    init(
        _ findings: Findings,
        _ result: ScanResult,
        timeout: TimeLimit,
        interfaces: [String],
        connected: Set<String>
    ) {
        let ofServices = ScanVerdict(result, timeout: timeout, interfaces: interfaces, connected: connected)
        guard findings.answering == 0 else {
            // That nothing was advertised is no trouble where one that was typed in has answered.
            let warning = result.trouble.map { "this may not be all: \($0.message)" }
            self = .found(warning: warning)
            return
        }
        let asked = findings.gateways.count + findings.others.count
        switch ofServices {
        case .failed(let failure) where asked == 0 || failure.status != .nothingFound:
            self = ofServices
        case .failed, .found:
            let count = asked == 1 ? "the one thing that was found" : "the \(asked) things that were found"
            let trouble = result.trouble.map { " This may not be all: \($0.message)" } ?? ""
            let message = "no gateway answered; the table says why of \(count).\(trouble)"
            self = .failed(CommandFailure(.nothingFound, message))
        }
    }

    private static func nothing(interfaces: [String], connected: Set<String>) -> CommandFailure {
        if interfaces.isEmpty {
            guard !connected.isEmpty else {
                return CommandFailure(
                    .unavailable,
                    "no network: this host has no interface that is up and has an address. Connect it to a network."
                )
            }
        } else if connected.isDisjoint(with: interfaces) {
            let list = interfaces.joined(separator: ", ")
            let advice = connected.isEmpty ? "" : " These are: \(connected.sorted().joined(separator: ", "))."
            return CommandFailure(.unavailable, "\(list) is not up or has no address.\(advice)")
        }
        return CommandFailure(
            .nothingFound,
            """
            nothing found. A gateway must be in the same network and advertise itself; multicast does not pass into \
            most containers, guest networks and VPNs.
            """
        )
    }
}
