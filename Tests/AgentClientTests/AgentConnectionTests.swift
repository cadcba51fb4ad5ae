import Glibc
import Testing

@testable import Agent

/// The connection to an agent, and to whatever else is where an agent would be.
@Suite(.timeLimit(.minutes(1))) struct AgentConnectionTests {
    /// An agent that has too many connections answers before it is asked, and closes. Its answer is read nevertheless.
    @Test func anAnswerThatComesBeforeTheRequestIsRead() throws {
        let listener = try ListeningSocket()
        let connection = try AgentConnection(listener.path, until: .now + .seconds(5))
        let accepted = accept(listener.descriptor, nil, nil)
        let answer = Array("HTTP/1.1 503 Service Unavailable\r\n\r\n".utf8)
        try #require(write(accepted, answer, answer.count) == answer.count)
        close(accepted)
        try connection.write(AgentClient.request("GET", "/health/live", [:], []), until: .now + .seconds(5))
        #expect(try connection.read(until: .now + .seconds(5)) == answer)
        #expect(try connection.read(until: .now + .seconds(5)).isEmpty)
    }

    /// An agent that hangs, with room for a connection and without, holds nobody up beyond the time that is given. It was
    /// asked nothing, so that nobody has to say that it may have done it.
    @Test(arguments: [false, true])
    func whatHangsIsLeftInTime(isFull: Bool) throws {
        let listener = try ListeningSocket()
        if isFull { try listener.fill() }
        let client = AgentClient(socket: listener.path)
        let start = ContinuousClock.now
        #expect(throws: AgentClientError.silent) { try client.ask("GET", "/x", within: .milliseconds(300)) }
        #expect(!AgentClientError.silent.mayHaveAsked && AgentClientError.timedOut.mayHaveAsked)
        #expect(throws: AgentClientError.timedOut) { try AgentEvents(client, within: .milliseconds(300)) }
        #expect(throws: AgentClientError.timedOut) {
            try ControlLine.ask([0x7B], at: listener.path, within: .milliseconds(300))
        }
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    /// An answer may take long; that there is one at all is known soon.
    @Test func whatHangsDoesNotTakeUpTheTimeOfALongAnswer() throws {
        let listener = try ListeningSocket()
        let start = ContinuousClock.now
        let client = AgentClient(socket: listener.path)
        #expect(throws: AgentClientError.silent) { try client.ask("POST", "/x", within: .seconds(40)) }
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    /// A peer that reads nothing does not hold up whoever writes more than the system keeps for it.
    @Test func writingEndsInTime() throws {
        let listener = try ListeningSocket()
        let connection = try AgentConnection(listener.path, until: .now + .seconds(5))
        let bytes = [UInt8](repeating: 0, count: 8_388_608)
        #expect(throws: AgentClientError.timedOut) { try connection.write(bytes, until: .now + .milliseconds(300)) }
    }

    /// What another user, or a file of another kind, has put in place of an agent is not connected to.
    @Test(arguments: Stranger.allCases) func whatIsNotOwnIsNotAsked(stranger: Stranger) throws {
        guard stranger != .folderOfAnotherUser && stranger != .socketOfAnotherUser || geteuid() == 0 else { return }
        let listener = try ListeningSocket()
        let path = try stranger.path(listener)
        defer { stranger.remove(listener) }
        let error = #expect(throws: AgentClientError.self) {
            try AgentClient(socket: path).ask("GET", "/x", within: .seconds(1))
        }
        guard case .unsafe(let reason)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(reason.contains(stranger.words), "\(reason)")
    }

    @Test func nothingIsNoError() throws {
        let listener = try ListeningSocket()
        for path in ["/nonexistent/agent.sock", "\(listener.folder)/none", "\(listener.path)/x/agent.sock"] {
            #expect(throws: AgentClientError.absent) { try AgentClient(socket: path).ask("GET", "/x") }
        }
    }

    /// Something that is no agent of this user.
    enum Stranger: CaseIterable {
        case folderOfAnotherUser, socketOfAnotherUser, openFolder, linkToFolder, linkToSocket, pipe

        /// Puts it in place of an agent, and returns the path of that.
        func path(_ listener: ListeningSocket) throws -> String {
            switch self {
            case .folderOfAnotherUser:
                try #require(chown(listener.folder, 12_345, 12_345) == 0)
                return listener.path
            case .socketOfAnotherUser:
                try #require(chown(listener.path, 12_345, 12_345) == 0)
                return listener.path
            case .openFolder:
                try #require(chmod(listener.folder, 0o777) == 0)
                return listener.path
            case .linkToFolder:
                try #require(symlink(listener.folder, "\(listener.folder).link") == 0)
                return "\(listener.folder).link/agent.sock"
            case .linkToSocket:
                try #require(symlink(listener.path, "\(listener.folder)/link") == 0)
                return "\(listener.folder)/link"
            case .pipe:
                try #require(mkfifo("\(listener.folder)/pipe", 0o600) == 0)
                return "\(listener.folder)/pipe"
            }
        }

        func remove(_ listener: ListeningSocket) {
            for path in ["\(listener.folder).link", "\(listener.folder)/link", "\(listener.folder)/pipe"] {
                unlink(path)
            }
        }

        var words: String {
            switch self {
            case .folderOfAnotherUser: "found one of the user 12345. Have XDG_RUNTIME_DIR name a folder of yours"
            case .socketOfAnotherUser: "expected a socket of this user, found one of the user 12345"
            case .openFolder: "found one to which others may. Run: chmod go-w /tmp/clawradar-connection-"
            case .linkToFolder: "expected a folder, found a symbolic link"
            case .linkToSocket: "expected a socket, found a symbolic link"
            case .pipe: "expected a socket, found something else"
            }
        }
    }
}
