internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// `clawradar call`: sends one request to a paired gateway, and prints its answer.
struct CallCommand: AsyncParsableCommand, AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Sends a request to a paired gateway, and prints the answer as JSON.",
        usage: "clawradar call <gateway> <method> [<options>]",
        discussion: """
            The request goes over the session of `clawradar agent`, if it runs, and otherwise over one that is opened for \
            it. Its methods are those of the gateway, and it may do what this device may do there. The answer is printed \
            on one line, as the gateway has sent it: secrets in it, such as tokens, are not hidden. Clawline \
            providers, OpenAgents and the Clawdbot bridge have no requests that are answered.

            EXAMPLES:
              clawradar call "Home Gateway" health
              clawradar call "Home Gateway" sessions.list --params '{"limit": 5}' | jq .
              clawradar call "Home Gateway" chat.send --params - < message.json

            Exit status: 0; 1 if the gateway refuses, whose code is in the message, if it does not answer, or if nothing \
            has this name; 64 if several have it, or the parameters are no JSON, 69 if the store cannot be used, 130 if \
            it was cancelled.
            """
    )

    @Argument(
        help: ArgumentHelp("A paired gateway.", valueName: "gateway"),
        completion: .custom(StoreAccess.completions),
        transform: { try PairedName($0) }
    )
    var gateway: PairedName

    @Argument(
        help: ArgumentHelp("A method of the gateway, such as health.", valueName: "method"),
        transform: { text in
            guard let method = GatewayCall.method(text) else {
                throw ArgumentProblem("A method has 1 to 128 characters of ASCII, and no spaces.")
            }
            return method
        }
    )
    var method: String

    @Option(
        help: ArgumentHelp("The parameters. - is standard input. Default: an empty object.", valueName: "json")
    )
    var params: String?

    @Option(
        help: .time("The time to wait for the answer", default: "10"),
        transform: { try TimeLimit($0) }
    )
    var timeout = TimeLimit(seconds: 10)

    @OptionGroup var agent: AgentOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let end = ContinuousClock.now + timeout.duration
        let store = try StoreAccess.open()
        let pairings = try CommandFailure.translating { () throws(StoreError) in try store.pairings() }
        let pairing = try gateway.pairing(among: pairings)
        try InProcessRadar.checkThatItIsCalled(pairing)
        let params = try parameters()
        let outcome: Result<JSONValue?, GatewayFailure>
        do {
            outcome = try await withSessions(
                in: store,
                with: { _ throws(RadarError) in
                    if let problem = store.keyProblem { throw RadarError(problem) }
                    return [pairing]
                },
                { [method] in try await $0.call(method, params, at: pairing.id, within: end - .now) }
            )
            .outcome
        } catch let reason as RadarError where [.notReached, .unknown].contains(reason.code) {
            throw CommandFailure(.nothingFound, "\(pairing.label) has given no answer: \(reason).")
        }
        switch outcome {
        case .success(let payload):
            try StandardOutput().write(String(decoding: (payload ?? .null).encoded, as: UTF8.self) + "\n")
        case .failure(let failure):
            let code = DisplayText(failure.code, limit: 64)
            let text = failure.message.isEmpty ? "" : ": \(DisplayText(failure.message, limit: 400))"
            throw CommandFailure(.nothingFound, "\(pairing.label) refuses \(method): \(code)\(text)")
        }
    }

    /// Reads the parameters.
    private func parameters() throws(CommandFailure) -> JSONValue {
        guard let params else { return .object([:]) }
        let bytes =
            params == "-"
            ? try SecretOptions.standardInput(upTo: GatewayCall.mostBytes, "JSON") : Array(params.utf8)
        do {
            return try JSONValue(
                parsing: bytes,
                limits: JSONLimits(maximumBytes: GatewayCall.mostBytes, hidesSecrets: true)
            )
        } catch {
            throw CommandFailure(.usage, "--params: expected JSON such as {\"limit\": 5}: \(error.message).")
        }
    }
}
