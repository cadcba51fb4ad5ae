import Glibc
import Testing

@testable import GatewayClient

@Suite struct ConnectFailureTests {
    /// Numbers tell nobody anything.
    @Test(arguments: [
        (ENETUNREACH, GatewayConnectionError.Code.unreachable, "network unreachable"),
        (EHOSTUNREACH, .unreachable, "host unreachable"), (ECONNREFUSED, .refused, "connection refused"),
        (EMFILE, .noSocket, "no socket: too many files are open"),
        (ENFILE, .noSocket, "no socket: too many files are open"),
        (ETIMEDOUT, .timedOut, "no connection in time"), (EPROTO, .unreachable, "protocol error"),
    ])
    func eachIsInWords(errno: Int32, code: GatewayConnectionError.Code, message: String) {
        let failure = ConnectFailure(errno: errno)
        #expect(failure.code == code && failure.message == message)
    }
}
