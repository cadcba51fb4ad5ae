import Glibc
import Testing

@testable import GatewayClient

@Suite struct ConnectFailureTests {
    /// Error numbers of the system are translated into codes and texts that people understand.
    @Test(arguments: [
        (ENETUNREACH, GatewayConnectionError.Code.unreachable, "network unreachable"),
        (EHOSTUNREACH, .unreachable, "host unreachable"), (ECONNREFUSED, .refused, "connection refused"),
        (EMFILE, .noSocket, "no socket: too many files are open"),
        (ENFILE, .noSocket, "no socket: too many files are open"),
        (ETIMEDOUT, .timedOut, "no connection in time"), (EPROTO, .unreachable, "protocol error"),
    ])
    func errorNumbersBecomeMessages(errno: Int32, code: GatewayConnectionError.Code, message: String) {
        let failure = ConnectFailure(errno: errno)
        #expect(failure.code == code && failure.message == message)
    }
}
