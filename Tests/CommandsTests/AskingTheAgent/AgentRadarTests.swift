import Foundation
import GatewayProtocol
import Reports
import Synchronization
import Testing

@testable import Agent
@testable import AgentAPI
@testable import Commands
@testable import Pairing

/// The carrier of operations over the socket of an agent.
@Suite(.timeLimit(.minutes(1))) struct AgentRadarTests {
    /// Returns the document of an operation, or its error.
    private static func outcome(
        _ operation: CarriedOperation,
        by radar: any Radar,
        _ nothing: CarriedNothing
    ) async -> Result<String, RadarError> {
        do throws(RadarError) {
            return .success(try await operation.ask(radar, about: nothing.present, else: nothing).line)
        } catch {
            return .failure(error)
        }
    }

    /// A verb shows the same, and ends with the same status, whoever carries its operation out.
    @Test(arguments: CarriedOperation.allCases)
    func bothCarriersGiveTheSame(operation: CarriedOperation) async throws {
        let nothing = try CarriedNothing()
        try await RadarStage.with { stage in
            let before = operation.before(nothing.present)
            func outcome(by radar: any Radar) async throws -> (Result<String, RadarError>, StoredPairing?) {
                try stage.reset(before)
                if operation == .removeAlias { try stage.store.setAlias(nothing.alias) }
                if operation == .restore {
                    try stage.store.moveToBin(before.id, reason: .forgotten, at: Timestamp.now.milliseconds)
                }
                return (
                    await Self.outcome(operation, by: radar, nothing), try stage.store.pairing(before.id)
                )
            }
            let (local, localPairing) = try await outcome(by: stage.agent.radar)
            let (remote, remotePairing) = try await outcome(by: AgentRadar(stage.client))
            #expect(local == remote)
            #expect(localPairing == remotePairing)
            #expect((try? local.get()) != nil || operation.fails, "\(local)")
        }
    }

    /// The errors of an operation over the socket are those of the operation, and not of its transport.
    @Test(arguments: RadarError.Code.allCases) func aProblemIsReadAsTheErrorThatItWas(code: RadarError.Code) throws {
        let error = RadarError(code, "“Home” is away")
        let problem = try JSONValue(parsing: Array(APIProblem(error).line.utf8))
        #expect(AgentRadar.error(problem, status: 502) == error)
    }

    /// What was refused before it was begun may be tried again; of an agent that has failed, nobody knows.
    @Test func aProblemWithoutACodeSaysWhetherAnythingWasBegun() throws {
        for status in [400, 403, 404, 429, 503] {
            #expect(AgentRadar.error(nil, status: status).code == .unavailable)
        }
        let problem: JSONValue = .object(["detail": "it is not so", "code": "new"])
        #expect(AgentRadar.error(problem, status: 403).description == "the agent refuses: it is not so")
        #expect(AgentRadar.error(problem, status: 500).code == .unknown)
    }

    /// The answer of an agent that shows life, and then to what it is asked; `nil` for one that dies in the middle.
    private static let broken: [(answer: String?, reason: String)] = [
        (nil, "not known"), ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}", "not known"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "cannot be read"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{{{", "cannot be read"), ("SSH-2.0", "not known"),
    ]

    /// An operation that an agent may have carried out is not asked for again, by whatever its answer was lost, and that is
    /// said.
    @Test(arguments: broken)
    func whatMayHaveBeenCarriedOutIsAskedForOnce(answer: String?, reason: String) async throws {
        let agent = try MortalAgent(answer)
        let nothing = try CarriedNothing()
        let outcome = await Self.outcome(.forget, by: AgentRadar(AgentClient(socket: agent.path)), nothing)
        guard case .failure(let error) = outcome else {
            Issue.record("expected an error, found \(outcome)")
            return
        }
        #expect(error.code == .unknown && error.description.contains(reason), "\(error)")
        #expect(agent.asked == ["/api/v1/forget"])
    }

    /// An agent that is not there any more was asked nothing.
    @Test func whoIsNotThereWasNotAsked() async throws {
        let nothing = try CarriedNothing()
        let client = AgentClient(socket: "/tmp/clawradar-nobody-\(UUID())/agent.sock")
        let outcome = await Self.outcome(.forget, by: AgentRadar(client), nothing)
        #expect(outcome == .failure(RadarError(.unavailable, "no agent of this user runs, and nothing was changed")))
    }
}

extension CarriedOperation {
    /// Indicates whether it is one that is not carried out.
    fileprivate var fails: Bool {
        switch self {
        case .connectAwaited, .connectNothing, .archiveNothing, .accentOfNothing, .accentUnknown, .forgetNothing,
            .restoreNothing, .unpairOther, .trustContested, .trustUnseen, .trustAwaited, .trustCertified,
            .trustPlaceOfTLS, .trustPlaceContested, .approvals,
            .approvalsOfNothing, .approve, .reject, .mute, .muteTooLong, .unmute, .call, .callAwaited, .callNothing,
            .diagnoseNothing, .mutes, .history, .historyOfOne, .linkOfThisHostAlone, .linkAwaited, .linkNothing,
            .linkWithoutOwner:
            true
        default: false
        }
    }
}
