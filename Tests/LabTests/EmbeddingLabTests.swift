import DNSSD
import Discovery
import Foundation
import GatewayProtocol
import Testing

extension LabTests {
    /// The libraries embedded in another program, here the test process: they must leave nothing behind.
    @Suite struct EmbeddingLabTests {
        @Test func cancellationLeavesNoThreadAndNoDescriptorBehind() async throws {
            // The first round loads the library and opens what stays open in a process; this is no leak.
            try await InProcess.browseBriefly()
            let before = InProcess.resources
            for _ in 1...20 { try await InProcess.browseBriefly() }
            let isBack = await InProcess.wait(within: .seconds(5)) {
                let now = InProcess.resources
                return now.descriptors <= before.descriptors && now.avahiThreads == 0
            }
            #expect(isBack, "before: \(before), now: \(InProcess.resources)")
        }

        @Test func aBrowserRecognizesTheServiceOfAnAdvertiserWithTheSameBackend() async throws {
            let backend = try InProcess.backend()
            let browser = Browser(BrowserConfiguration(types: [.openClaw]), backend: backend)
            try await withThrowingTaskGroup { group in
                group.addTask { try await browser.run() }
                try await InProcess.withAdvertiser("Mine", fingerprint: "mine", backend: backend) { _ in
                    for await change in browser.changes where change.service.instance.name == "Mine" {
                        #expect(change.service.isOurs)
                        break
                    }
                }
                group.cancelAll()
            }
        }

        @Test func sigpipeStaysAsTheProgramSetIt() async throws {
            signal(SIGPIPE, SIG_DFL)
            try await InProcess.browseBriefly()
            var action = sigaction()
            sigaction(SIGPIPE, nil, &action)
            #expect(action.__sigaction_handler.sa_handler == nil, "the handler must be SIG_DFL, a null pointer")
        }
    }
}
