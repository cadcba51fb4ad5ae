import NIOCore
import NIOPosix
import Testing

@testable import GatewayClient

/// The threads on which connections run.
@Suite struct GatewayLoopsTests {
    /// An event-loop group that the program hands in is used from then on, and none is created beside it.
    @Test func aGroupThatIsHandedInIsUsed() throws {
        // It lives as long as the process, so that other tests may be running on it.
        let group = MultiThreadedEventLoopGroup.singleton
        try GatewayLoops.prepare(on: group)
        #expect(try GatewayLoops.group() === group)
        try GatewayLoops.prepare()
        #expect(try GatewayLoops.group() === group)
    }
}
