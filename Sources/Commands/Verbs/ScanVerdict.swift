internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import HostSystem
internal import Reports

/// The outcome of a scan: something was found, or the reason why not.
enum ScanVerdict: Hashable {
    /// Something was found; the warning says what may be missing.
    case found(warning: String?)

    /// Nothing was found, for this reason.
    case failed(CommandFailure)

    /// Makes the verdict on a scan for services.
    init(_ result: ScanResult, timeout: TimeLimit, scope: ScanScope) {
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
            self = .failed(Self.nothing(in: scope))
        }
    }

    /// Makes the verdict on a scan for gateways, from the rows that were found and asked.
    ///
    /// - Parameter teller: The place that says why something is no gateway.
    init(
        _ snapshot: NetworkSnapshot,
        _ result: ScanResult,
        timeout: TimeLimit,
        scope: ScanScope,
        teller: String = "the table"
    ) {
        self.init(
            answering: snapshot.answering + snapshot.suspect,
            asked: snapshot.gateways.count + snapshot.others.count,
            ofServices: ScanVerdict(result, timeout: timeout, scope: scope),
            trouble: result.trouble?.message,
            teller: teller
        )
    }

    /// Makes the verdict on a scan for gateways from what counts.
    ///
    /// - Parameters:
    ///   - answering: The number of gateways that answer.
    ///   - asked: The number of everything that was asked, or is to be.
    ///   - ofServices: The verdict on the scan for services.
    ///   - trouble: The reason why the backend could not work at the end, for people; `nil` if it could.
    ///   - teller: The place that says why something is no gateway.
    init(answering: Int, asked: Int, ofServices: ScanVerdict, trouble: String?, teller: String = "the table") {
        guard answering == 0 else {
            // A scan without any service is no failure if a gateway that the user named has answered.
            self = .found(warning: trouble.map { "this may not be all: \($0)" })
            return
        }
        switch ofServices {
        case .failed(let failure) where asked == 0 || failure.status != .nothingFound:
            self = ofServices
        case .failed, .found:
            let count = asked == 1 ? "the one thing that was found" : "the \(asked) things that were found"
            let trouble = trouble.map { " This may not be all: \($0)" } ?? ""
            let message = "no gateway answered; \(teller) says why of \(count).\(trouble)"
            self = .failed(CommandFailure(.nothingFound, message))
        }
    }

    /// Makes the verdict on what somebody who looks all the time knows of services.
    init(hasFound: Bool, _ trouble: String?, scope: ScanScope) {
        switch (hasFound, trouble) {
        case (true, _): self = .found(warning: trouble.map { "this may not be all: \($0)" })
        case (false, let trouble?): self = .failed(CommandFailure(.unavailable, trouble))
        case (false, nil): self = .failed(Self.nothing(in: scope))
        }
    }

    /// Prints why what is shown may not be all: of what is known without the network, whether it is there.
    func noteWhatMayBeMissing(_ trouble: BackendError? = nil, warn: (String) -> Void = Notes.warning) {
        switch self {
        case .failed(let failure) where failure.status != .nothingFound: warn("this may not be all: \(failure.message)")
        case .failed: if let trouble { warn("this may not be all: \(trouble.message)") }
        case .found(let warning): if let warning { warn(warning) }
        }
    }

    private static func nothing(in scope: ScanScope) -> CommandFailure {
        let (chosen, network) = (Set(scope.interfaces), scope.network)
        if let lack = network.lack(of: chosen) { return CommandFailure(.unavailable, lack.message) }
        if !chosen.isEmpty, chosen.isDisjoint(with: network.connected.keys) {
            let list = scope.interfaces.joined(separator: ", ")
            let reason = "over \(list) no other host is reached: it leads to this one."
            return CommandFailure(.unavailable, "\(reason)\(network.others)")
        }
        return CommandFailure(
            .nothingFound,
            """
            nothing found\(strange(scope.types)) A gateway must be in the same network and advertise itself; multicast does not pass into \
            most containers, guest networks and VPNs. One elsewhere is paired by a code, a link, a picture of its QR code, \
            or its address: clawradar pair --help
            """
        )
    }

    /// Returns the end of the sentence about the chosen types that no gateway has, with suggestions, because nothing is
    /// ever found of a mistyped type.
    private static func strange(_ types: [ServiceType]) -> String {
        let known = Set(ServiceType.gatewayTypes.map(name))
        let unknown = types.map(name).filter { !known.contains($0) }
        guard !unknown.isEmpty else { return "." }
        let meant = unknown.compactMap { SpellingSuggestion.nearest(to: $0, among: known.sorted()) }
        let advice = meant.isEmpty ? "." : "; did you mean \(meant.joined(separator: ", "))?"
        let what =
            unknown.count == 1
            ? "type \(unknown[0]), which is none" : "types \(unknown.joined(separator: ", ")), which are none"
        return " of the \(what) of gateways\(advice)"
    }

    /// Returns the name of a type without its subtypes.
    private static func name(_ type: ServiceType) -> String { "_\(type.name)._\(type.transport.rawValue)" }
}
