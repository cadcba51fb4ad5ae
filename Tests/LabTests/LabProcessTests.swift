import Glibc
import Testing

extension LabTests {
    @Suite struct LabProcessTests {
        /// A daemon that a command leaves behind holds up no test, whatever it has inherited.
        @Test func theEndOfACommandIsSeenWhileWhatItStartedRuns() async throws {
            let command = try LabProcess(["/bin/sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!; exit 3"])
            let result = try await command.finish(within: .seconds(10))
            #expect(result.status == 3)
            #expect(result.elapsed < .seconds(30))
            #expect(!command.isRunning)
            let left = try #require(pid_t(result.output))
            #expect(kill(left, SIGKILL) == 0)
        }

        @Test func aCommandLeavesNoDescriptorBehind() async throws {
            _ = try await LabProcess(["/bin/true"]).finish(within: .seconds(10))
            let before = InProcess.resources.descriptors
            for _ in 0..<30 { _ = try await LabProcess(["/bin/true"]).finish(within: .seconds(10)) }
            let isClean = await InProcess.wait(within: .seconds(5)) { InProcess.resources.descriptors <= before }
            #expect(isClean, "before: \(before), now: \(InProcess.resources.descriptors)")
        }

        @Test func aSignalThatEndsACommandIsItsStatus() async throws {
            let command = try LabProcess(["/bin/sh", "-c", "exec sleep 60"])
            #expect(command.isRunning)
            #expect(try await command.stop(SIGKILL).status == 128 + SIGKILL)
        }
    }
}
