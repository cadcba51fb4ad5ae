internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// The option for whether a running agent is asked.
struct AgentOption: ParsableArguments {
    @Flag(help: "Look without asking the agent of this user, if one runs.")
    var noAgent = false

    /// Has the agent of this user check anew which gateways answer.
    ///
    /// - Returns: What it knows then; `nil` if no agent was asked.
    func scan(within timeout: TimeLimit) -> AgentScan? {
        document(
            "POST",
            "/api/v1/scan?timeoutMs=\(min(timeout.milliseconds, 60_000))",
            within: timeout.duration + .seconds(1),
            lifeTimeout: timeout.duration / 3
        )
        .map(AgentScan.init)
    }

    /// Asks the agent of this user.
    ///
    /// - Parameters:
    ///   - timeout: The time within which the answer has to come.
    ///   - lifeTimeout: The time within which the agent has to show that it answers at all.
    ///   - client: The agent.
    /// - Returns: The document; `nil` if the agent is not to be asked, none runs, or the command has to do without it, which
    ///   it has said then.
    func document(
        _ method: String,
        _ target: String,
        within timeout: Duration = .seconds(5),
        lifeTimeout: Duration = AgentClient.lifeTimeout,
        at client: @autoclosure () -> AgentClient = Self.client
    ) -> JSONValue? {
        guard !noAgent else { return nil }
        do throws(AgentClientError) {
            let answer = try client().ask(method, target, within: timeout, lifeTimeout: lifeTimeout)
            guard Self.isAsked(answer.version) else { return nil }
            guard let document = answer.document else { throw .garbled("expected JSON") }
            guard answer.status == 200 else {
                Notes.note("the agent has no answer: \(document["detail"]?.string ?? "\(answer.status)")")
                return nil
            }
            return document
        } catch {
            Self.warn(of: error)
            return nil
        }
    }

    /// Returns the time from which a command's own look counts, which begins now: an agent that has not answered has used up
    /// a part of the time, but not all of it.
    static func start(since begin: ContinuousClock.Instant, within timeout: TimeLimit) -> ContinuousClock.Instant {
        max(begin, .now - timeout.duration + min(.seconds(1), timeout.duration / 2))
    }

    /// The network and the sessions as the agent of this user sees them.
    ///
    /// - Parameter otherwise: The source in place of it, should it end.
    /// - Returns: `nil` if no agent runs, or the command has to look for itself, which it has said then.
    func source(otherwise: @escaping @Sendable () async throws -> any WatchSource) -> AgentSource? {
        guard !noAgent else { return nil }
        do throws(AgentClientError) {
            let events = try AgentEvents(Self.client, AgentSource.query)
            guard Self.isAsked(events.version) else { return nil }
            return AgentSource(client: Self.client, events: events, otherwise: otherwise)
        } catch {
            Self.warn(of: error)
            return nil
        }
    }

    /// The time within which an agent has to begin to answer: one that has just begun looks first.
    private static let headTimeout = Duration.seconds(1)

    /// The gateways as the agent of this user knows them now. It does not count as somebody who watches.
    ///
    /// - Returns: `nil` if no agent runs that has looked already, or the command has to look for itself, which it has said
    ///   then.
    func look() -> GatewaySearchResult? { noAgent ? nil : Self.look() }

    /// The gateways as the agent of this user knows them now; `nil` if it cannot be asked.
    static func look() -> GatewaySearchResult? {
        do throws(AgentClientError) {
            try client.checkLife(within: headTimeout)
        } catch {
            warn(of: error)
            return nil
        }
        do throws(AgentClientError) {
            let query = "\(AgentSource.query)&looked=true&visible=false"
            let events = try AgentEvents(client, query, within: headTimeout)
            defer { events.end() }
            guard isAsked(events.version), let event = try events.next(until: .now + headTimeout) else {
                return nil
            }
            guard let data = try? JSONValue(parsing: Array(event.data.utf8), limits: .ofAgents),
                case .snapshot(let snapshot)? = try? ConstellationUpdate(recording: data)
            else { throw .garbled("expected everything that it knows") }
            return GatewaySearchResult(
                rows: snapshot.gateways,
                scan: ScanResult(of: snapshot, source: .agent, elapsed: .zero)
            )
        } catch {
            // An agent that still looks knows no more than this command would find out.
            if error != .timedOut { warn(of: error) }
            return nil
        }
    }

    /// Returns what carries out the operations of a verb: the agent that has the store of pairings, if it can be asked, and
    /// otherwise this process, which is said where an agent runs.
    ///
    /// - Parameters:
    ///   - local: The carrier in this process, with the store.
    ///   - isWanted: Indicates whether an agent may be asked.
    static func radar(else local: InProcessRadar, asksAgent isWanted: Bool = true) -> any Radar {
        guard isWanted else { return local }
        do throws(AgentClientError) {
            let version = try client.checkLife()
            // Another one, with another store, knows nothing of these pairings.
            return isRunning && isAsked(version) ? AgentRadar(client) : local
        } catch {
            warn(of: error, doing: "going on")
            return local
        }
    }

    /// Indicates whether an agent runs that has the store of pairings.
    static var isRunning: Bool { (try? StoreLocation.standard()).flatMap(AgentPlace.socket(ofAgentWith:)) != nil }

    /// The agent of this user: that which has the store of pairings, wherever its socket is; else one that is where this
    /// command would have its own.
    static var client: AgentClient {
        let found = (try? StoreLocation.standard()).flatMap(AgentPlace.socket(ofAgentWith:))
        return AgentClient(
            socket: found ?? AgentPlace(environment: Environment.values(of: AgentPlace.variables)).socket
        )
    }

    /// Indicates whether an agent of a version is asked, and says so if it is not.
    static func isAsked(_ version: String?) -> Bool {
        guard version != CommandLineTool.version else { return true }
        Notes.note(
            "the agent that runs has the version \(version ?? "-"), and this is \(CommandLineTool.version): "
                + "it is not asked. Restart it to use it again."
        )
        return false
    }

    /// - Parameter doing: What the command does without it.
    static func warn(of error: AgentClientError, doing: String = "looking") {
        switch error {
        // That none runs is nothing to say.
        case .absent: return
        // What to do stands at its end.
        case .unsafe(let reason): Notes.warning("\(doing) without the agent: \(reason)")
        case .silent, .timedOut, .broken, .garbled: Notes.warning("\(error); \(doing) without it.")
        }
    }
}

extension AgentAnswer {
    /// The JSON in it; `nil` if it has none.
    var document: JSONValue? { try? JSONValue(parsing: body, limits: .ofAgents) }
}

extension JSONLimits {
    /// The limits on what an agent of this user answers.
    static let ofAgents = JSONLimits(maximumBytes: 64 * 1_048_576, maximumDepth: 32, maximumValues: 10_000_000)
}
