internal import DNSSD
package import GatewayProtocol

/// The reason why a decision about a device that waits was not made.
package struct DecisionProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// No such device waits there, or this device is not told of any.
        case notWaiting
        /// The gateway knows no accounts.
        case noAccounts
        /// It asks for more than this device may do itself.
        case beyondOurScopes
        /// Something else has asked under its identifier since it was shown.
        case contested
        /// The gateway refuses, or there is no session with it.
        case notReached
        /// The gateway was told, and it is not known whether it has carried the decision out.
        case unknown
    }

    package let code: Code

    /// A sentence for people, without a full stop.
    package let description: String

    package init(code: Code, description: String) {
        self.code = code
        self.description = description
    }
}

/// A decision that was carried out.
package struct MadeDecision: Hashable, Sendable {
    /// The request that was decided.
    package let request: DeviceRequest

    /// The account of a Clawline provider to which the device was attached; `nil` where there is none.
    package var account: String?
}

/// Decisions about the devices that wait for an approval, over the sessions that are kept.
extension Connections {
    /// Tells a gateway what this device, as its admin, decides about a device that waits there. Nothing that goes beyond
    /// what this device may do itself is approved: that is refused here, before anything is sent, whoever asks.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - request: The request of the device.
    ///   - account: The account of a Clawline provider to which the device is attached; `nil` for that of this device.
    ///   - session: A session with the gateway.
    ///   - limit: The time that an OpenClaw gateway has to answer.
    /// - Returns: What was decided.
    package func decide(
        _ decision: DeviceDecision,
        about request: DeviceRequest,
        to account: ClawlineAccount? = nil,
        over session: GatewaySession,
        within limit: Duration = .seconds(10)
    ) async throws(DecisionProblem) -> MadeDecision {
        let credential = session.credential
        if decision == .approved, session.dialect == .openClaw {
            let lacking = request.scopesLacking(in: kept[credential]?.record.scopes ?? [])
            guard lacking.isEmpty else {
                let scopes = lacking.map { DisplayText($0, limit: 48).text }.joined(separator: ", ")
                throw DecisionProblem(
                    code: .beyondOurScopes,
                    description: "expected a request that this device may approve, found one that needs \(scopes)"
                )
            }
        }
        guard session.dialect == .clawline else {
            guard account == nil else { throw .noAccounts }
            try await tell(session, decision, about: request, within: limit)
            return MadeDecision(request: request)
        }
        let own = kept[credential]?.live.flatMap { kept[credential]?.running[$0.attempt]?.clawline?.userID }
        let user = decision == .approved ? account?.description ?? own : nil
        do throws(DecisionProblem) {
            try await tellProvider(session, decision, to: user, about: request)
        } catch {
            if error.code == .notWaiting { forgetDevice(request.id, of: credential) }
            throw error
        }
        forgetDevice(request.id, of: credential)
        return MadeDecision(request: request, account: user)
    }

    /// Forgets a device of which a Clawline provider tells no more: it says nothing of what was decided.
    private func forgetDevice(_ id: String, of credential: CredentialID) {
        kept[credential]?.devices?.forget(id)
        reportDevices(of: credential)
    }

    private func tell(
        _ session: GatewaySession,
        _ decision: DeviceDecision,
        about request: DeviceRequest,
        within limit: Duration
    ) async throws(DecisionProblem) {
        let params = JSONValue.object(["requestId": .string(request.id)])
        let response: GatewayResponse
        do throws(CallProblem) {
            response = try await session.call(decision.method(about: request), params, within: limit)
        } catch {
            throw DecisionProblem(error)
        }
        guard case .failure(let failure) = response.outcome else { return }
        throw DecisionProblem(refusal: failure.message.isEmpty ? failure.code : failure.message)
    }

    /// Tells a Clawline provider of a decision. It answers only what it refuses: by an error that names no message, before
    /// the answer to the ping behind the decision, or hardly later.
    private func tellProvider(
        _ session: GatewaySession,
        _ decision: DeviceDecision,
        to account: String?,
        about request: DeviceRequest
    ) async throws(DecisionProblem) {
        let (credential, isApproved) = (session.credential, decision == .approved)
        let message = ClawlineMessage.pairDecision(deviceID: request.id, isApproved: isApproved, userID: account)
        do {
            // One after the other: an error does not say which decision it is about.
            while kept[credential]?.refusals != nil {
                await environment.sleep(until: environment.clock.now + WaitingDevices.pause)
                try Task.checkCancellation()
            }
        } catch {
            throw DecisionProblem(code: .notReached, description: "the gateway was not told")
        }
        if isApproved, kept[credential]?.devices?.isContested(request.id) == true {
            throw DecisionProblem(
                code: .contested,
                description:
                    "expected one device under this identifier, found that another one, or one "
                    + "with another name, has asked under it since: reject it, and let the right one ask again"
            )
        }
        kept[credential]?.refusals = []
        defer { kept[credential]?.refusals = nil }
        do {
            try await session.send(message.json)
        } catch {
            throw DecisionProblem(CallProblem(error))
        }
        if kept[credential]?.refusals?.isEmpty == true {
            await environment.sleep(until: environment.clock.now + WaitingDevices.refusalTimeout)
        }
        guard let refusal = kept[credential]?.refusals?.first else { return }
        // After the first decision, every other one is refused so, whatever the text.
        guard refusal.code == "invalid_message" else { throw DecisionProblem(refusal: refusal.text) }
        throw DecisionProblem(
            code: .notWaiting,
            description:
                "expected a device that waits, found one that does so no more: it has left, or was decided about already"
        )
    }

    /// Takes in an error of a Clawline provider that may be its answer to a decision.
    func noteRefusal(_ event: GatewayEvent, of credential: CredentialID) {
        guard event.name == "error", let json = event.payload, json["messageId"]?.string == nil,
            case .error(let code, let message)? = try? ClawlineMessage(json: json),
            let count = kept[credential]?.refusals?.count, count == 0
        else { return }
        let text = (message.isEmpty ? code : message).cut(toBytes: 256)
        kept[credential]?.refusals?.append(KeptSession.Refusal(code: code, text: text))
    }
}

extension DecisionProblem {
    /// The problem of an account at a gateway that knows none.
    fileprivate static let noAccounts = DecisionProblem(
        code: .noAccounts,
        description: "expected a Clawline provider, whose devices belong to accounts, found another gateway"
    )

    /// The problem of a gateway that refuses a decision.
    fileprivate init(refusal text: String) {
        self.init(code: .notReached, description: "the gateway refuses: \(DisplayText(text, limit: 128))")
    }

    /// The problem of a decision that had no answer: perhaps the gateway has read it.
    package init(_ problem: CallProblem) {
        self.init(code: problem.mayHaveArrived ? .unknown : .notReached, description: problem.description)
    }
}
