internal import Connections
internal import GatewayProtocol
internal import PairingStore

/// The identifier of a request, as typed: the whole of it, or its beginning.
struct RequestName: Hashable, Sendable {
    /// The least number of characters that count as the beginning of a longer identifier.
    static let shortest = 8

    let text: String

    /// Reads what was typed.
    init(_ text: String) throws(ArgumentProblem) {
        let isPlain = text.utf8.allSatisfy { byte in
            let scalar = Unicode.Scalar(byte)
            return scalar.isASCII && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte))
                || "._:-".utf8.contains(byte)
        }
        guard isPlain, (1...128).contains(text.utf8.count) else {
            throw ArgumentProblem("An identifier of a request is as `clawradar approvals` shows it.")
        }
        self.text = text
    }

    /// Returns those requests that it means: the one with this identifier, else those that begin so.
    ///
    /// At a Clawline provider only the whole counts: there each device chooses its identifier, and another one can ask
    /// with the same beginning.
    func matches(_ answer: AdminAnswer) -> [DeviceRequest] {
        let whole = answer.requests.filter { $0.id == text }
        guard whole.isEmpty, !answer.admin.needsWholeIdentifiers else { return whole }
        return beginnings(answer)
    }

    /// Returns those requests that begin so.
    func beginnings(_ answer: AdminAnswer) -> [DeviceRequest] {
        text.utf8.count < Self.shortest ? [] : answer.requests.filter { $0.id.hasPrefix(text) }
    }
}

extension ApprovalDesk {
    /// A request that was decided, and the gateway at which.
    struct Decided: Sendable {
        let decision: DeviceDecision
        let admin: AdminPairing
        let request: DeviceRequest

        /// The account of a Clawline provider to which the device was attached.
        var account: String?
    }

    /// Finds a request, and decides it. Nothing that goes beyond what this device may do itself is approved: that is
    /// refused here, before anything is sent.
    ///
    /// - Parameter account: The account of a Clawline provider to which the device is attached; `nil` for that of this
    ///   device.
    func decide(
        _ name: RequestName,
        _ decision: DeviceDecision,
        to account: ClawlineAccount? = nil,
        _ connections: Connections
    ) async throws(CommandFailure) -> Decided {
        let choosers = admins.count { $0.needsWholeIdentifiers }
        let answers = await answers(connections) { answers in
            // Where devices choose their identifiers, another gateway can have one that waits under the same.
            answers.contains { !name.matches($0).isEmpty }
                && answers.count { $0.admin.needsWholeIdentifiers } == choosers
        }
        let (admin, request) = try Self.request(name, among: answers)
        if decision == .approved {
            let lacking = admin.scopesLacking(for: request)
            guard lacking.isEmpty else {
                throw CommandFailure(.nothingFound, ApprovalText.refusal(request, at: admin.pairing, lacking))
            }
        }
        guard account == nil || admin.pairing.dialect == .clawline else {
            let problem = "\(ApprovalText.noAccounts(admin.pairing)): leave --user out."
            throw CommandFailure(.usage, problem)
        }
        var user: String?
        do throws(AdminTrouble) {
            switch admin.pairing.dialect {
            case .clawline: user = try await tell(admin, decision, to: account, about: request, connections)
            default:
                let params = JSONValue.object(["requestId": .string(request.id)])
                _ = try await ask(decision.method(about: request), params, of: admin, connections)
            }
        } catch {
            throw CommandFailure(.nothingFound, ApprovalText.undecided(decision, by: admin.pairing, error))
        }
        return Decided(decision: decision, admin: admin, request: request, account: user)
    }

    /// Returns the only request that is meant by an identifier.
    static func request(
        _ name: RequestName,
        among answers: [AdminAnswer]
    ) throws(CommandFailure) -> (AdminPairing, DeviceRequest) {
        let found = answers.flatMap { answer in name.matches(answer).map { (answer.admin, $0) } }
        guard let first = found.first else {
            let troubles = answers.compactMap { answer in
                answer.trouble.map { " \(ApprovalText.notAsked(answer.admin.pairing, $0))." }
            }
            let reason =
                answers.allSatisfy { name.beginnings($0).isEmpty }
                ? "no device waits as \(name.text). `clawradar approvals` shows those that do."
                : "expected the whole identifier of a request, found \(name.text): at a Clawline provider devices choose "
                    + "theirs, and another one can begin alike. `clawradar approvals` shows the whole."
            throw CommandFailure(.nothingFound, reason + troubles.joined())
        }
        guard found.count == 1 else {
            let list = found.prefix(8).map { "\($0.1.id) at \($0.0.pairing.label)" }.joined(separator: ", ")
            throw CommandFailure(.usage, "\(name.text) can be \(list). Give more of it, or --gateway.")
        }
        return first
    }
}
