import NIOCore
import Testing

@testable import Agent

/// The path of the agent's socket.
@Suite struct SocketPathTests {
    /// What an agent takes for its socket can be listened at, also under the longer name that it has at first. Longer ones were
    /// taken, and then failed by the name of an error.
    @Test func theLongestPathCanBeListenedAt() throws {
        func path(_ count: Int) -> String { "/" + String(repeating: "x", count: count - 1) }
        _ = try SocketAddress(unixDomainSocketPath: path(AgentPlace.longestSocket + 1))
        #expect(throws: SocketAddressError.self) {
            try SocketAddress(unixDomainSocketPath: path(AgentPlace.longestSocket + 2))
        }
    }
}
