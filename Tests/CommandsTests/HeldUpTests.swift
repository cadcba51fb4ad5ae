import Dispatch
import Testing

@testable import Commands

/// Calls that a disk or another process holds up.
@Suite(.timeLimit(.minutes(1))) struct HeldUpTests {
    /// A call that does not return is left in time, and what returns is handed over.
    @Test func whatHangsIsLeftInTime() async {
        #expect(await HeldUp.wait(for: .seconds(50)) { 5 } == 5)
        let gate = DispatchSemaphore(value: 0)
        let hung = await HeldUp.wait(for: .milliseconds(10)) {
            gate.wait()
            return 5
        }
        #expect(hung == nil)
        gate.signal()
    }
}
