internal import Agent
internal import ArgumentParser
internal import Console

/// `clawradar agent token`: makes a token for programs that ask the agent at its port.
struct AgentTokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Makes the token with which a program may read what the agent knows, at its port.",
        usage: "clawradar agent token --read",
        discussion: """
            Prints the path of the file that has the token, which only you can read. Each run makes another one, and the \
            one before it is worth nothing from then on; without the file, none is. It lets its holder read, and change \
            nothing. The agent answers at a port if it is started with --port. Programs read the token from the file, or \
            from standard input: arguments can be read by every user of the host.

            EXAMPLES:
              clawradar agent token --read
              sed "s/^/Authorization: Bearer /" ~/.local/state/clawradar/agent-read.token |
                curl -H @- http://127.0.0.1:7417/metrics

            Exit status: 0; 69 if the file cannot be written.
            """
    )

    @Flag(help: "Make a token that may read, and change nothing.")
    var read = false

    func validate() throws {
        guard read else { throw ValidationError("Expected --read: there is no other kind of token.") }
    }

    func run() throws {
        let token = try Self.token()
        do throws(ReadTokenError) {
            try token.make()
        } catch {
            throw CommandFailure(.unavailable, error.description)
        }
        try StandardOutput().write("\(token.path)\n")
    }

    /// Locates the token of this user.
    static func token() throws(CommandFailure) -> ReadToken {
        guard let token = ReadToken(environment: Environment.values(of: ReadToken.variables)) else {
            throw CommandFailure(.unavailable, "expected HOME or XDG_STATE_HOME in the environment, found neither")
        }
        return token
    }
}
