import NIOSSL
import Synchronization
import Testing

@testable import GatewayClient

@Suite struct SystemContextTests {
    /// A failure to load the trusted roots is not remembered: a process that was short of descriptors for a moment can
    /// verify hosts again afterwards.
    @Test func aFailureIsNotKept() throws {
        let calls = Mutex(0)
        let context = SystemContext {
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            guard call > 1 else { throw NIOSSLError.failedToLoadCertificate }
            return try NIOSSLContext(configuration: .makeClientConfiguration())
        }
        let error = #expect(throws: GatewayConnectionError.self) { try context.get() }
        #expect(error?.code == .untrusted)
        let first = try context.get()
        let second = try context.get()
        #expect(first === second)
        #expect(calls.withLock { $0 } == 2)
    }
}
